// Random numbers from a seed, and what graphs are drawn of.
import { arrays, size_of } from './graph.mjs';

export class Draw {
    constructor(seed) { this.state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0; for (let i = 0; i < 4; i++) this.next(); }
    /** In [0, 1): Mulberry's mixing of a counter. */
    next() {
        this.state = (this.state + 0x6d2b79f5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }
    int(low, high) { return low + Math.floor(this.next() * (high - low + 1)); }
    pick(list) { return list[this.int(0, list.length - 1)]; }
    chance(p) { return this.next() < p; }
    normal() { return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next()); }
    shape(rank, most = 6) { return Array.from({ length: rank }, () => this.int(1, most)); }
    shuffled(list) {
        const result = [...list];
        for (let i = result.length - 1; i > 0; i--) {
            const j = this.int(0, i);
            [result[i], result[j]] = [result[j], result[i]];
        }
        return result;
    }

    /** A scale and a zero point for a quantized type. */
    quantization(type, positive = false) {
        if (type === 'float32' || type === 'bool' || type.endsWith('32') || type.endsWith('64')) return {};
        const scale = Math.fround(Math.exp(this.chance(0.9) ? this.next() * 4 - 5 : this.next() * 14 - 12));
        if (type === 'int16') return { scale: Math.fround(scale / 256), zero: 0 };
        if (positive) return { scale, zero: type === 'int8' ? -128 : 0 };
        return { scale, zero: type === 'int8' ? this.int(-128, 127) : this.int(0, 255) };
    }

    /** Values of a type: of both signs, with zeros, halves and, of small types, both ends. */
    values(type, count, { positive = false, below } = {}) {
        const one = () => {
            if (below !== undefined) return this.int(0, below - 1);
            switch (type) {
                case 'float32': {
                    const value = this.chance(0.15) ? this.int(-6, 6) / 2 : this.chance(0.1) ? this.normal() * 30 : this.normal() * 2;
                    return positive ? Math.abs(value) + 0.01 : value;
                }
                case 'int8': return this.int(positive ? -127 : -128, 127);
                case 'uint8': return this.int(positive ? 1 : 0, 255);
                case 'int16': return this.int(positive ? 1 : -32768, 32767);
                case 'bool': return this.int(0, 1);
                default: return positive ? this.int(1, 9) : this.int(-20, 20);
            }
        };
        return Array.from({ length: count }, one);
    }
    bytes(type, shape, options) {
        const values = this.values(type, size_of(shape), options);
        return Buffer.from(arrays[type].from(values, type === 'int64' ? BigInt : undefined).buffer);
    }
}
