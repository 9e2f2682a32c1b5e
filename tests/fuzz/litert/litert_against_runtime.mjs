// Random graphs of LiteRT's operators, run by Partita and by LiteRT: node litert_against_runtime.mjs PARTITA-CLI FOLDER [OPTION ...],
// where FOLDER has node_modules/@litertjs/core. tests/fuzz/litert_against_runtime tells the options.
import { spawnSync } from 'child_process';
import { mkdirSync, rmSync, writeFileSync } from 'fs';
import { createRequire } from 'module';
import { join, resolve } from 'path';
import { Draw } from './draw.mjs';
import { arrays, Graph } from './graph.mjs';
import { Runtime } from './litert_runtime.mjs';
import * as npy from './npy.mjs';
import { networks } from './networks.mjs';
import { recipes as operators } from './recipes.mjs';

const recipes = { ...operators, ...networks };

const [program, folder, ...rest] = process.argv.slice(2);
const options = { '--seed': '1', '--graphs': '1000', '--first': '0', '--ops': '', '--found': 'build/litert-found', '--backends': '', '--onnx': '' };
let verbose = false, delegates = false;
for (let i = 0; i < rest.length; i++)
    if (rest[i] === '--verbose') verbose = true;
    else if (rest[i] === '--delegate') delegates = true;
    else if (rest[i] in options) options[rest[i]] = rest[++i];
    else throw new Error(`unknown option ${rest[i]}`);

/** By how many steps a quantized result may differ; tables of LiteRT's 16-bit functions are coarser than what they stand for. */
const steps = { 'TANH int16': 8, 'LOGISTIC int16': 5, 'SOFTMAX int16': 12, 'RESIZE_BILINEAR int16': 256 };

/** What LiteRT's kernels for the CPU compute otherwise than the file says; but for comparisons, Partita says so when it opens such a file. */
const theirs_is_wrong = {
    'NEG int8': 'the numbers are negated without their zero point', 'DIV uint8': 'a quotient near 0 may be the largest number',
    'REDUCE_PROD int8': 'rounded after each factor', 'REDUCE_PROD int16': 'rounded after each factor, and wraps',
    'EXP int16': 'a coarse table', 'RSQRT int16': 'a coarse table',
    ...Object.fromEntries(['LESS', 'LESS_EQUAL', 'GREATER', 'GREATER_EQUAL', 'EQUAL', 'NOT_EQUAL'].flatMap(op => ['int8', 'uint8'].map(type =>
        [`${op} ${type}`, 'numbers that are nearly the same are the same']))),
};
/** By what share of the largest value a result may differ, where LiteRT's powers and long sums are less exact. */
const tolerances = { LOCAL_RESPONSE_NORMALIZATION: 1e-4, NETWORK: 1e-4, ATTENTION: 1e-4, HYBRID: 0.03, HYBRID_OF_4_BITS: 0.03 };

/** @param clips whether a fused activation hides how large the sums were */
function difference(op, theirs, ours, clips) {
    if (theirs.shape.join() !== ours.shape.join()) return `shape [${theirs.shape}] is [${ours.shape}]`;
    if (theirs.type !== ours.type) return `type ${theirs.type} is ${ours.type}`;
    const float = theirs.type === 'float32', small = /^u?int(8|16)$/.test(theirs.type);
    const scale = Math.max(...theirs.values.map(v => Number.isFinite(v) ? Math.abs(v) : 0), clips ? 6 : 0.05);
    const allowed = float ? (tolerances[op] ?? 1e-5) * scale : small ? steps[`${op} ${theirs.type}`] ?? 1 : 0;
    const unequal = theirs.values.flatMap((a, i) => a === ours.values[i] || (Number.isNaN(a) && Number.isNaN(ours.values[i])) ? [] : [i]);
    const by = i => Math.abs(theirs.values[i] - ours.values[i]), beyond = unequal.filter(i => !(by(i) <= allowed));
    // In a quantized network a step that a layer rounds the other way is multiplied by those behind it.
    const amplified = op === 'NETWORK' && small && unequal.reduce((sum, i) => sum + by(i), 0) <= 2 * theirs.values.length && beyond.every(i => by(i) <= 32);
    if (beyond.length && !amplified) return `${beyond.length} of ${theirs.values.length}: [${beyond[0]}] ${theirs.values[beyond[0]]} is ${ours.values[beyond[0]]}`;
    return unequal.length && !float ? { off: unequal.length } : null;
}

const names = Object.keys(recipes).filter(name => !options['--ops'] || options['--ops'].split(',').includes(name));
const runtime = new Runtime(folder), work = join(options['--found'], 'work');
mkdirSync(work, { recursive: true });
const tally = new Map(), refused = new Map(), note = (map, key, by = 1) => map.set(key, (map.get(key) ?? 0) + by);
let failed = 0;

function keep(number, name, why, model) {
    const to = join(options['--found'], `${name}-${options['--seed']}-${number}.tflite`);
    writeFileSync(to, model);
    console.log(`${number} ${name}: ${why}\n    ${to}`);
    failed++;
}

/** What ONNX Runtime computes for the model that Partita exports. */
async function through_onnx(model, graph, values) {
    const onnx = createRequire(join(resolve(options['--onnx']), 'package.json'))('onnxruntime-node'), file = join(work, 'model.onnx');
    const wrote = spawnSync(program, ['export', model, '--format', 'onnx', '-o', file], { encoding: 'utf8' });
    if (wrote.status !== 0) return { refused: wrote.stderr.trim() };
    try {
        const session = await onnx.InferenceSession.create(file, { logSeverityLevel: 4, intraOpNumThreads: 1, graphOptimizationLevel: 'disabled' });
        const feeds = Object.fromEntries(session.inputNames.map(name => {
            const k = graph.inputs.findIndex(tensor => `t${tensor.index}` === name), { type, shape } = graph.inputs[k];
            return [name, new onnx.Tensor(type, new arrays[type](Uint8Array.from(values[k]).buffer), shape)];
        }));
        const results = await session.run(feeds);
        return session.outputNames.map(name => ({ type: results[name].type, shape: results[name].dims, values: Array.from(results[name].data, Number) }));
    } catch (error) {
        return { refused: String(error) };
    }
}

/** How many of a model's nodes go to XNNPACK by the description that ships. */
function delegated(model) {
    const args = ['divide', model, '--backends', 'tflite_xnnpack', '--partitioner', 'tflite', '--option', 'n=all', '--json'];
    const divided = spawnSync(program, args, { encoding: 'utf8' });
    if (divided.status !== 0) return divided.stderr.trim();
    return JSON.parse(divided.stdout).regions.reduce((sum, region) => sum + region.nodes.length, 0);
}

async function one(number) {
    const d = new Draw(Number(options['--seed']) * 1000003 + number), graph = new Graph(), name = names[number % names.length];
    graph.outputs = recipes[name](d, graph);
    const kind = `${name} ${(graph.inputs[0] ?? graph.outputs[0]).type}`, model = graph.file(), values = [];
    const theirs = await runtime.run(model, (k, type, shape) => {
        const tensor = graph.inputs[k];
        values[k] = d.bytes(tensor.type, tensor.shape, tensor.values);
        return values[k];
    });
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, 'model.tflite'), model);
    if (delegates && !runtime.log.some(line => line.includes('failed to delegate'))) {
        const [their_count, our_count] = [runtime.replaced(), delegated(join(work, 'model.tflite'))];
        if (their_count !== our_count) return keep(number, name, `${kind}: XNNPACK takes ${their_count}, by the description ${our_count}`, model);
        note(tally, `nodes, on XNNPACK or not as the description says`, graph.ops.length);
    }
    if (theirs.refused) return note(refused, `${kind}: LiteRT: ${theirs.refused.slice(0, 160)}`);
    const inputs = graph.inputs.flatMap((tensor, k) => {
        npy.write(join(work, `in${k}.npy`), tensor.type, tensor.shape, values[k]);
        return ['--input', `t${tensor.index}=${join(work, `in${k}.npy`)}`];
    });
    const backends = options['--backends'] ? ['--backends', options['--backends']] : [];
    const ran = spawnSync(program, ['run', join(work, 'model.tflite'), ...inputs, ...backends, '--warmup', '0', '--repeat', '1', '--threads', '1', '--output-dir', join(work, 'out')],
        { encoding: 'utf8' });
    if (ran.status !== 0) {
        const message = ran.stderr.split('\n').filter(line => /warning|error/.test(line)).join(' / ').replaceAll(join(work, 'model.tflite'), 'model');
        if (ran.status === 1 && /can't be run/.test(message)) return note(refused, `${kind}: Partita: ${message.slice(0, 260)}`);
        return keep(number, name, `exit ${ran.status ?? ran.signal}: ${message}`, model);
    }
    let off = 0;
    const clips = graph.ops.some(op => op.options.activation);
    const exported = options['--onnx'] ? await through_onnx(join(work, 'model.tflite'), graph, values) : [];
    if (exported.refused) note(refused, `${kind}: as ONNX: ${exported.refused.slice(0, 200)}`);
    for (let k = 0; k < theirs.outputs.length; k++) {
        const ours = npy.read(join(work, 'out', `output_${k}.npy`)), found = difference(name, theirs.outputs[k], ours, clips);
        const again = exported[k] ? difference(name, ours, exported[k], clips) : null;
        if (typeof again === 'string') return keep(number, name, `${kind} output ${k} as ONNX ${again}`, model);
        if (typeof found === 'string' && theirs_is_wrong[kind]) return note(tally, `${kind} (LiteRT: ${theirs_is_wrong[kind]})`);
        if (typeof found === 'string') return keep(number, name, `${kind} output ${k} ${found}`, model);
        off += found?.off ?? 0;
    }
    note(tally, kind);
    if (off) note(tally, `${kind} (values a step off)`, off);
    if (verbose) console.log(`${number} ${kind} equal`);
}

if (delegates) {
    const graph = new Graph();
    graph.outputs = [graph.op('RELU', [graph.input('float32', [1])], [graph.tensor('float32', [1])])];
    if (!await runtime.tell_what_is_replaced(graph.file())) throw new Error('LiteRT does not tell what a delegate replaces');
}
for (let i = 0; i < Number(options['--graphs']); i++) await one(Number(options['--first']) + i);
console.log(`\ncompared:`);
for (const [key, count] of [...tally].sort()) console.log(`  ${String(count).padStart(6)}  ${key}`);
console.log(`refused:`);
for (const [key, count] of [...refused].sort()) console.log(`  ${String(count).padStart(6)}  ${key}`);
console.log(`${failed} failed`);
process.exit(failed ? 1 : 0);
