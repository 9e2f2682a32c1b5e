// Compares Partita with ONNX Runtime on random inputs.
//
// usage: node compare_onnxruntime.mjs PARTITA_CLI [--backends B] [--split] [--own] [--random-weights] [--tolerance X] FILE...
//
// Each FILE (Relay text or ONNX) is run by Partita with random inputs of a fixed seed; it is exported as ONNX
// (with --backends partitioned: regions are functions; with --split one model for each region, run by the manifest)
// and run by ONNX Runtime with the same inputs. --own gives ONNX Runtime the ONNX file itself instead of the export, and
// runs it here on the backends. --tolerance is a part of the largest value (default 1e-3).
// --random-weights exports each model whole and puts random numbers in its initializers first: the light models of the
// ONNX project have the same number everywhere.
//
// Needs onnxruntime-node, which is no part of the project:
//   npm install --ignore-scripts onnxruntime-node@1.30.0      and NODE_PATH or the working directory so that it is found
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const require = createRequire(join(process.cwd(), 'package.json'));
let ort;
try {
    ort = require('onnxruntime-node');
} catch {
    console.log('SKIP: onnxruntime-node is not installed here');
    process.exit(77);
}

const types = {
    float32: ['<f4', Float32Array], float64: ['<f8', Float64Array], int8: ['|i1', Int8Array], uint8: ['|u1', Uint8Array],
    int16: ['<i2', Int16Array], uint16: ['<u2', Uint16Array], int32: ['<i4', Int32Array], uint32: ['<u4', Uint32Array],
    int64: ['<i8', BigInt64Array], uint64: ['<u8', BigUint64Array], bool: ['|b1', Uint8Array],
};

let state = 12345;
function random() {  // xorshift: the same numbers everywhere
    state ^= state << 13, state ^= state >>> 17, state ^= state << 5;
    return (state >>> 0) / 4294967296;
}

function randomData(name, type, shape, isWeight) {
    const count = shape.reduce((a, b) => a * b, 1);
    const positive = /var(iance)?$/.test(name);
    // Weights of a size that keeps the numbers' size from layer to layer.
    const size = isWeight && shape.length > 1 ? Math.sqrt(6 * shape[0] / count) : 1;
    const data = new types[type][1](count);
    for (let i = 0; i < count; ++i) {
        if (type.startsWith('float')) data[i] = positive ? random() + 0.05 : (random() * 2 - 1) * size;
        else if (type === 'bool') data[i] = random() < 0.5 ? 1 : 0;
        else if (type.endsWith('64')) data[i] = BigInt(Math.floor(random() * 3));
        else if (type === 'int8') data[i] = Math.floor(random() * 255) - 127;
        else data[i] = Math.floor(random() * 3);
    }
    return data;
}

function npy(type, shape, data) {
    let header = `{'descr': '${types[type][0]}', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
    header += ' '.repeat(63 - (10 + header.length) % 64) + '\n';
    const head = Buffer.alloc(10);
    head.write('\x93NUMPY\x01\x00', 'latin1');
    head.writeUInt16LE(header.length, 8);
    return Buffer.concat([head, Buffer.from(header, 'latin1'), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
}

function readNpy(file) {
    const bytes = readFileSync(file), length = bytes.readUInt16LE(8);
    const header = bytes.toString('latin1', 10, 10 + length);
    const descr = /'descr': '([^']+)'/.exec(header)[1];
    const type = Object.keys(types).find(name => types[name][0] === descr);
    const Kind = types[type][1], copy = Uint8Array.from(bytes.subarray(10 + length));
    return { type, data: new Kind(copy.buffer, 0, copy.byteLength / Kind.BYTES_PER_ELEMENT) };
}

function parameters(cli, file) {
    const info = JSON.parse(execFileSync(cli, ['info', file, '--json'], { maxBuffer: 1 << 28 }));
    return info.inputs.map(({ name, type }) => {
        const match = /^Tensor\[\(([^)]*)\), (\w+)\]$/.exec(type);
        return match ? { name, type: match[2], shape: match[1].split(',').map(s => s.trim()).filter(Boolean).map(Number) }
                     : { name, type, shape: [] };
    });
}

/// The fields of a Protocol Buffers message: number, and value or place of the bytes.
function* fields(bytes, begin, end) {
    let at = begin;
    const varint = () => {
        let value = 0, factor = 1;
        for (;;) {
            const byte = bytes[at++];
            value += (byte & 127) * factor;
            if (byte < 128) return value;
            factor *= 128;
        }
    };
    while (at < end) {
        const key = varint(), field = Math.floor(key / 8), type = key % 8;
        if (type === 0) yield { field, value: varint() };
        else if (type === 2) {
            const length = varint();
            yield { field, begin: at, end: at + length };
            at += length;
        } else {
            yield { field };
            at += type === 1 ? 8 : 4;
        }
    }
}

/// Random numbers for all float32 initializers: weights scaled as in randomData, vectors positive, as variances must be.
function randomizeWeights(file) {
    const bytes = readFileSync(file);
    let count = 0;
    for (const graph of fields(bytes, 0, bytes.length)) {
        if (graph.field !== 7) continue;
        for (const tensor of fields(bytes, graph.begin, graph.end)) {
            if (tensor.field !== 5) continue;
            const shape = [], parts = {};
            for (const part of fields(bytes, tensor.begin, tensor.end))
                if (part.field === 1) shape.push(part.value);
                else parts[part.field] = part;
            if (parts[2]?.value !== 1 || !parts[9] || !shape.length) continue;
            const size = (parts[9].end - parts[9].begin) / 4;
            // Vectors that broadcast over channels are kept in [0.5, 1.5].
            const isVector = shape.filter(extent => extent > 1).length < 2;
            const scale = Math.sqrt(3 * shape[0] / Math.max(size, 1));
            for (let i = 0; i < size; ++i)
                bytes.writeFloatLE(isVector ? 0.5 + random() : (random() * 2 - 1) * scale, parts[9].begin + 4 * i);
            count += size;
        }
    }
    writeFileSync(file, bytes);
    return count;
}

async function runSplit(folder, inputs) {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json')));
    const values = Object.fromEntries(manifest.inputs.map((input, i) => [input.name, inputs[i]]));
    for (const model of manifest.models) {
        const session = await ort.InferenceSession.create(join(folder, model.file));
        const feeds = Object.fromEntries(Object.entries(model.inputs).map(([name, value]) => [name, values[value]]));
        const results = await session.run(feeds);
        for (const [name, value] of Object.entries(model.outputs)) values[value] = results[name];
        await session.release();
    }
    return { models: manifest.models.length, outputs: manifest.outputs.map(output => values[output.name]) };
}

function difference(ours, theirs) {
    if (ours.data.length !== theirs.data.length) return { error: `${ours.data.length} values instead of ${theirs.data.length}` };
    let absolute = 0, largest = 0, differing = 0;
    for (let i = 0; i < ours.data.length; ++i) {
        const a = Number(ours.data[i]), b = Number(theirs.data[i]);
        if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
        ++differing;
        absolute = Math.max(absolute, Number.isNaN(a - b) ? Infinity : Math.abs(a - b));
        if (Number.isFinite(b)) largest = Math.max(largest, Math.abs(b));
    }
    const distinct = new Set(Array.from(theirs.data.slice(0, 1000))).size;
    return { absolute, relative: largest ? absolute / largest : absolute, differing, count: ours.data.length, distinct };
}

async function compare(cli, file, options) {
    const folder = mkdtempSync(join(tmpdir(), 'partita-onnx-'));
    try {
        if (options.randomWeights) {
            const copy = join(folder, 'random.onnx');
            execFileSync(cli, ['export', file, '-o', copy], { stdio: 'pipe' });
            randomizeWeights(copy);
            file = copy;
        }
        const wanted = parameters(cli, file), flow = options.backends ? ['--backends', options.backends] : [];
        const args = ['run', file, ...(options.own ? flow : []), '--output-dir', join(folder, 'outputs')], feeds = [];
        for (const { name, type, shape } of wanted) {
            const data = randomData(name, type, shape, feeds.length > 0), path = join(folder, `in_${feeds.length}.npy`);
            writeFileSync(path, npy(type, shape, data));
            args.push('--input', `${name}=${path}`);
            feeds.push(new ort.Tensor(type, data, shape));
        }
        execFileSync(cli, args, { maxBuffer: 1 << 28, stdio: 'pipe' });
        let results, note = '';
        if (options.split) {
            execFileSync(cli, ['export', file, ...flow, '--split', join(folder, 'split')], { stdio: 'pipe' });
            const split = await runSplit(join(folder, 'split'), feeds);
            results = split.outputs;
            note = `${split.models} models, `;
        } else {
            const model = options.own ? file : join(folder, 'model.onnx');
            if (!options.own) execFileSync(cli, ['export', file, ...flow, '-o', model], { stdio: 'pipe' });
            const session = await ort.InferenceSession.create(model);
            const inputs = Object.fromEntries(session.inputNames.map((name, i) => [name, feeds[i]]));
            const outputs = await session.run(inputs);
            results = session.outputNames.map(name => outputs[name]);
            await session.release();
        }
        let worst = { relative: -1 };
        for (let i = 0; i < results.length; ++i) {
            const off = difference(readNpy(join(folder, 'outputs', `output_${i}.npy`)), results[i]);
            if (off.error) return { ok: false, text: `output ${i}: ${off.error}` };
            if (off.relative > worst.relative) worst = off;
        }
        const ok = worst.relative <= (options.tolerance ?? 1e-3);
        return { ok, text: `${note}${results.length} outputs, largest difference ${worst.absolute.toExponential(2)} absolute, ` +
            `${worst.relative.toExponential(2)} of the largest value; ${worst.distinct} distinct of ${Math.min(1000, worst.count)}` };
    } catch (fault) {
        const message = (fault.stderr?.toString() || fault.message).trim().split('\n').slice(0, 2).join(' ').slice(0, 400);
        return { ok: false, text: message };
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

const args = process.argv.slice(2), cli = args.shift(), options = {}, files = [];
while (args.length) {
    const arg = args.shift();
    if (arg === '--backends') options.backends = args.shift();
    else if (arg === '--split') options.split = true;
    else if (arg === '--own') options.own = true;
    else if (arg === '--tolerance') options.tolerance = Number(args.shift());
    else if (arg === '--random-weights') options.randomWeights = true;
    else files.push(arg);
}
if (!cli || !files.length) {
    console.error('usage: node compare_onnxruntime.mjs PARTITA_CLI [--backends B] [--split] [--own] FILE...');
    process.exit(2);
}
let failed = 0;
for (const file of files) {
    const result = await compare(cli, file, { ...options });
    if (!result.ok) ++failed;
    console.log(`${result.ok ? 'equal' : 'DIFFERS'} ${basename(file)}: ${result.text}`);
}
process.exit(failed ? 1 : 0);
