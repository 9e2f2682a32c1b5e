// A writer of FlatBuffers (flatbuffers.dev, "internals"): root first, every child behind its parent, as offsets demand.

const i8 = value => ({ size: 1, put: (b, at) => b.writeInt8(value, at), zero: value === 0 });
const i32 = value => ({ size: 4, put: (b, at) => b.writeInt32LE(value, at), zero: value === 0 });
const u32 = value => ({ size: 4, put: (b, at) => b.writeUInt32LE(value, at), zero: value === 0 });
const f32 = value => ({ size: 4, put: (b, at) => b.writeFloatLE(value, at), zero: value === 0 });
const flag = value => i8(value ? 1 : 0);
/** A vector of scalars. */
const numbers = array => ({ data: Buffer.from(array.buffer, array.byteOffset, array.byteLength), size_of_one: array.BYTES_PER_ELEMENT });
const text = value => ({ data: Buffer.from(value + '\0'), size_of_one: 1, count: Buffer.byteLength(value) });
const vector = items => ({ items });
/** fields: {id: value}; null is absent. */
const table = fields => ({ fields });

export { i8, i32, u32, f32, flag, numbers, text, vector, table };

class Writer {
    constructor() { this.buffer = Buffer.alloc(1 << 16); this.end = 0; }
    #need(size) {
        while (this.end + size > this.buffer.length) this.buffer = Buffer.concat([this.buffer, Buffer.alloc(this.buffer.length)]);
    }
    /** `size` bytes such that the place `lead` bytes into them is aligned. */
    take(size, align, lead = 0) {
        this.#need(size + align);
        while ((this.end + lead) % align) this.end++;
        const at = this.end;
        this.end += size;
        return at;
    }
    link(from, to) { this.buffer.writeUInt32LE(to - from, from); }

    write(value) {
        if (value.fields) return this.#table(value.fields);
        if (value.items) {
            const at = this.take(4 + 4 * value.items.length, 4);
            this.buffer.writeUInt32LE(value.items.length, at);
            value.items.forEach((item, i) => this.link(at + 4 + 4 * i, this.write(item)));
            return at;
        }
        const at = this.take(4 + value.data.length, 16, 4);
        this.buffer.writeUInt32LE(value.count ?? value.data.length / value.size_of_one, at);
        value.data.copy(this.buffer, at + 4);
        return at;
    }
    #table(fields) {
        const present = Object.entries(fields).filter(([, value]) => value != null).map(([id, value]) => [Number(id), value]);
        const places = new Map();
        let size = 4;
        for (const [id, value] of [...present].sort((a, b) => (b[1].size ?? 4) - (a[1].size ?? 4))) places.set(id, size), size += value.size ?? 4;
        const slots = present.length ? Math.max(...places.keys()) + 1 : 0;
        const vtable = this.take(4 + 2 * slots, 2), at = this.take(size, 4);
        this.buffer.writeUInt16LE(4 + 2 * slots, vtable);
        this.buffer.writeUInt16LE(size, vtable + 2);
        for (const [id, place] of places) this.buffer.writeUInt16LE(place, vtable + 4 + 2 * id);
        this.buffer.writeInt32LE(at - vtable, at);
        for (const [id, value] of present)
            if (value.size) value.put(this.buffer, at + places.get(id));
            else this.link(at + places.get(id), this.write(value));
        return at;
    }
    file(identifier, root) {
        this.take(8, 8);
        this.link(0, this.write(root));
        this.buffer.write(identifier, 4, 'latin1');
        return this.buffer.subarray(0, this.end);
    }
}

export const file = (identifier, root) => new Writer().file(identifier, root);
