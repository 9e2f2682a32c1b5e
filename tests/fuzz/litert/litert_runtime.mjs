// LiteRT itself, as its WebAssembly build runs in Node: npm's @litertjs/core, single thread, without relaxed SIMD.
import { createRequire } from 'module';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'fs';
import { join, resolve } from 'path';

/** LiteRT.js' numbers of element types (they are not those of the file), with the name and the array that holds them. */
const elements = {
    1: ['float32', Float32Array], 2: ['int32', Int32Array], 3: ['uint8', Uint8Array], 4: ['int64', BigInt64Array],
    6: ['bool', Uint8Array], 7: ['int16', Int16Array], 9: ['int8', Int8Array], 11: ['float64', Float64Array], 16: ['uint32', Uint32Array],
};

const list = vector => {
    const values = Array.from({ length: vector.size() }, (_, i) => vector.get(i));
    vector.delete();
    return values;
};
const size_in_bytes = (type, shape) => product(shape) * Object.values(elements).find(([name]) => name === type)[1].BYTES_PER_ELEMENT;
const product = extents => extents.reduce((a, b) => a * b, 1);

/** The package says that its files are modules; Emscripten's are not: they are copied to a folder that does not say so. */
function factory_of(folder) {
    const from = join(resolve(folder), 'node_modules/@litertjs/core/wasm'), to = join(resolve(folder), 'plain'), name = 'litert_wasm_compat_internal';
    mkdirSync(to, { recursive: true });
    if (!existsSync(join(to, 'package.json'))) writeFileSync(join(to, 'package.json'), '{}');
    for (const end of ['.js', '.wasm'])
        if (!existsSync(join(to, name + end))) copyFileSync(join(from, name + end), join(to, name + end));
    const factory = createRequire(join(to, 'package.json'))(`./${name}.js`);
    return options => factory({ locateFile: file => join(to, file), ...options });
}

export class Runtime {
    /** @param folder where npm installed @litertjs/core */
    constructor(folder) { this.factory = factory_of(folder); this.log = []; this.zeroed = []; }

    async #module() {
        if (this.module) return this.module;
        const keep = line => this.log.push(line);
        this.module = await this.factory({ print: keep, printErr: keep });
        const words = new Int32Array(this.module.HEAPU8.buffer);
        for (const word of this.zeroed) if (words[word] === 1) words[word] = 0;
        this.module.setupLogging();
        return this.module;
    }

    /**
     * Makes the log tell how many nodes a delegate replaces ("VERBOSE: Replacing ..."), which this build keeps back: the least
     * severity that is logged is a number in its memory that is 1 and has to be 0. It is found by halves: of all words that are 1,
     * those without which `model`, of which a delegate takes a part, tells it.
     */
    async tell_what_is_replaced(model) {
        const nothing = (k, type, shape) => Buffer.alloc(size_in_bytes(type, shape));
        await this.run(model, nothing);
        this.module = null;
        await this.run(model, nothing);
        const usual = this.log.length;
        const tells = async words => {
            this.module = null;
            this.zeroed = words;
            const { refused } = await this.run(model, nothing);
            if (this.log.some(line => line.includes('Replacing '))) return 'yes';
            return refused || this.log.length !== usual ? 'perhaps' : 'no';
        };
        const end = this.module._malloc(16) / 4, memory = new Int32Array(this.module.HEAPU8.buffer, 0, end), ones = [];
        for (let i = 256; i < end; i++) if (memory[i] === 1) ones.push(i);
        const search = async words => {
            const answer = words.length ? await tells(words) : 'no';
            if (answer === 'no') return null;
            if (words.length === 1) return answer === 'yes' ? words : null;
            const half = words.length >> 1;
            return await search(words.slice(0, half)) ?? search(words.slice(half));
        };
        const found = await search(ones);
        this.module = null;
        this.zeroed = found ?? [];
        return found !== null;
    }

    /** How many nodes of the first subgraph a delegate took at the last run, by the log. */
    replaced() {
        const said = this.log.map(line => /Replacing (\d+) out of \d+ node\(s\).* for subgraph 0\b/.exec(line)).find(Boolean);
        return said ? Number(said[1]) : 0;
    }

    /**
     * Runs a model once. `make(k, type, shape)` gives the bytes of input k.
     * @return {inputs, outputs: [{name, type, shape, values}]} or {refused: why}; a node that fails is found in the log, since
     * LiteRT.js itself gives zeros then.
     */
    async run(model, make) {
        this.log = [];
        try {
            const result = await this.#run(model, make);
            const errors = this.log.filter(line => line.startsWith('ERROR'));
            return errors.length ? { refused: errors.join(' | ') } : result;
        } catch (error) {
            const message = this.module?.getExceptionMessage && typeof error === 'object' ? String(this.module.getExceptionMessage(error)) : String(error);
            this.module = null;  // it may have been aborted
            return { refused: [...this.log.filter(line => line.startsWith('ERROR')), message].join(' | ') };
        }
    }

    async #run(model, make) {
        const m = await this.#module(), environment = m.LiteRtEnvironment.create(null);
        const at = m._malloc(model.length);
        m.HEAPU8.set(model, at);
        const loaded = m.loadModel(environment, at, model.length);
        const compiled = await m.compileModel(environment, loaded, { accelerator: 'wasm', gpuOptions: {}, webNNOptions: {} });
        const signature = loaded.getSignature(0), inputs = list(signature.inputNames()), names = list(signature.outputNames());
        const buffers = inputs.map((_, k) => {
            const tensor = loaded.getInputTensorType(0, k), type = tensor.elementType().value, shape = list(tensor.layout().dimensions());
            const bytes = make(k, elements[type]?.[0] ?? `type ${type}`, shape);
            const buffer = m.LiteRtTensorBuffer.createManaged(environment, m.LiteRtTensorBufferType.HOST_MEMORY, tensor, bytes.length);
            m.HEAPU8.set(bytes, buffer.lock(m.LiteRtTensorBufferLockMode.WRITE));
            buffer.unlock();
            return buffer;
        });
        const outputs = (await compiled.run(0, buffers)).map((buffer, k) => this.#read(m, buffer, names[k]));
        compiled.delete(), loaded.delete(), m._free(at), environment.delete();
        return { inputs, outputs };
    }

    #read(m, buffer, name) {
        const tensor = buffer.tensorType(), number = tensor.elementType().value, shape = list(tensor.layout().dimensions());
        const [type, Elements] = elements[number];
        const at = buffer.lock(m.LiteRtTensorBufferLockMode.READ);
        const bytes = m.HEAPU8.slice(at, at + product(shape) * Elements.BYTES_PER_ELEMENT);
        buffer.unlock();
        return { name, type, shape, values: Array.from(new Elements(bytes.buffer), Number) };
    }
}
