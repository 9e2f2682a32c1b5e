// Runs ONNX models with ONNX Runtime for tests/fuzz/onnx_against_runtime: node onnx_runtime.mjs FOLDER, where FOLDER has
// node_modules/onnxruntime-node.
//
// Reads requests from standard input, writes an answer to each in their order. All numbers are little-endian.
//   request: u32 bytes that follow; u32 length, model; u32 inputs, each: tensor
//   answer:  u32 bytes that follow; u8 0; u32 outputs, each: tensor
//            or u8 1 (refused as a model) or 2 (refused at the run), and the message
//   tensor:  u32 length, name; u32 ONNX's number of the element type; u32 rank; i64 extents; u32 length, data
import { createRequire } from 'module';
import { join, resolve } from 'path';

const ort = createRequire(join(resolve(process.argv[2]), 'package.json'))('onnxruntime-node');

const types = {
    1: ['float32', Float32Array], 2: ['uint8', Uint8Array], 3: ['int8', Int8Array], 4: ['uint16', Uint16Array], 5: ['int16', Int16Array],
    6: ['int32', Int32Array], 7: ['int64', BigInt64Array], 9: ['bool', Uint8Array], 10: ['float16', Uint16Array], 11: ['float64', Float64Array],
    12: ['uint32', Uint32Array], 13: ['uint64', BigUint64Array],
};
const numbers = Object.fromEntries(Object.entries(types).map(([number, [name]]) => [name, Number(number)]));

class Reader {
    constructor(bytes) { this.bytes = bytes; this.at = 0; }
    u32() { this.at += 4; return this.bytes.readUInt32LE(this.at - 4); }
    i64() { this.at += 8; return Number(this.bytes.readBigInt64LE(this.at - 8)); }
    block() { const length = this.u32(); this.at += length; return this.bytes.subarray(this.at - length, this.at); }
    tensor() {
        const name = this.block().toString(), [type, Elements] = types[this.u32()], dims = Array.from({ length: this.u32() }, () => this.i64());
        const data = Uint8Array.from(this.block());
        return [name, new ort.Tensor(type, new Elements(data.buffer), dims)];
    }
}

const u32 = value => { const bytes = Buffer.alloc(4); bytes.writeUInt32LE(value); return bytes; };
const block = bytes => [u32(bytes.length), bytes];

function tensor(name, value) {
    const dims = Buffer.alloc(8 * value.dims.length);
    value.dims.forEach((dim, i) => dims.writeBigInt64LE(BigInt(dim), 8 * i));
    const data = Buffer.from(value.data.buffer, value.data.byteOffset, value.data.byteLength);
    return [...block(Buffer.from(name)), u32(numbers[value.type]), u32(value.dims.length), dims, ...block(data)];
}

async function answer(request) {
    const reader = new Reader(request), model = Uint8Array.from(reader.block());
    const inputs = Object.fromEntries(Array.from({ length: reader.u32() }, () => reader.tensor()));
    let session, stage = 1;
    try {
        session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'disabled', logSeverityLevel: 4 });
        stage = 2;
        const outputs = await session.run(inputs);
        const parts = session.outputNames.map(name => tensor(name, outputs[name])).flat();
        return Buffer.concat([Buffer.from([0]), u32(session.outputNames.length), ...parts]);
    } catch (fault) {
        return Buffer.concat([Buffer.from([stage]), Buffer.from(String(fault.message ?? fault))]);
    } finally {
        await session?.release();
    }
}

let pending = Buffer.alloc(0);
for await (const chunk of process.stdin) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32LE(0)) {
        const length = pending.readUInt32LE(0), bytes = await answer(pending.subarray(4, 4 + length));
        pending = pending.subarray(4 + length);
        process.stdout.write(Buffer.concat([u32(bytes.length), bytes]));
    }
}
