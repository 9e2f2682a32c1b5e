// NumPy's files (NEP 1), as far as the command line reads and writes them.
import { readFileSync, writeFileSync } from 'fs';

const kinds = {
    float32: ['<f4', Float32Array], float64: ['<f8', Float64Array], int8: ['|i1', Int8Array], uint8: ['|u1', Uint8Array], int16: ['<i2', Int16Array],
    int32: ['<i4', Int32Array], int64: ['<i8', BigInt64Array], bool: ['|b1', Uint8Array], uint32: ['<u4', Uint32Array],
};

export function write(path, type, shape, bytes) {
    const text = `{'descr': '${kinds[type][0]}', 'fortran_order': False, 'shape': (${shape.map(extent => `${extent},`).join(' ')}), }`;
    const header = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + '\n', start = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
    start.writeUInt16LE(header.length, 8);
    writeFileSync(path, Buffer.concat([start, Buffer.from(header, 'latin1'), bytes]));
}

export function read(path) {
    const file = readFileSync(path), end = 10 + file.readUInt16LE(8), header = file.toString('latin1', 10, end);
    const descriptor = /'descr': '([^']+)'/.exec(header)[1], shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter(text => text.trim()).map(Number);
    const [type, [, Elements]] = Object.entries(kinds).find(([, [kind]]) => kind === descriptor);
    return { type, shape, values: Array.from(new Elements(Uint8Array.from(file.subarray(end)).buffer), Number) };
}
