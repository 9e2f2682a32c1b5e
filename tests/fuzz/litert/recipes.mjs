// How a graph of one operator is drawn: name -> (draw, graph) => its outputs. What LiteRT itself refuses is counted and left out.
import { size_of, type_numbers } from './graph.mjs';

const integers = ['int32', 'int64'], quantized = ['int8', 'uint8', 'int16'];
const floats = ['float32'];

export const same_q = x => ({ scale: x.scale, zero: x.zero });

/** An input of the graph, or a constant; `plain`: its integers stand for themselves. */
export function operand(d, g, type, shape, { constant = false, ...options } = {}) {
    const q = options.like ? same_q(options.like) : options.plain ? {} : d.quantization(type, options.positive);
    if (constant) return g.constant(type, shape, d.values(type, size_of(shape), options), q);
    const tensor = g.input(type, shape, q);
    tensor.values = options;
    return tensor;
}
export const result = (d, g, type, shape, q) => g.tensor(type, shape, q ?? d.quantization(type));
export const indices = (g, values, type = 'int32', shape = [values.length]) => g.constant(type, shape, values);
export const activation = d => d.pick(['none', 'none', 'relu', 'relu6', 'relu_n1_to_1']);

function unary(name, types, { options = () => ({}), fixed, positive, keeps, ranks = [1, 5] } = {}) {
    return (d, g) => {
        const type = d.pick(types), shape = d.shape(d.int(...ranks));
        const x = operand(d, g, type, shape, { positive });
        const q = type === 'float32' ? {} : keeps ? same_q(x) : fixed?.[type] ?? undefined;
        return [g.op(name, [x], [result(d, g, type, shape, q)], options(d))];
    };
}

/** Two shapes that broadcast to one. */
function broadcast(d, most = 5) {
    const shape = d.shape(d.int(1, most), 5);
    const a = shape.map(extent => d.chance(0.2) ? 1 : extent), b = shape.map(extent => d.chance(0.2) ? 1 : extent);
    const cut = list => d.chance(0.3) ? list.slice(d.int(0, list.length - 1)) : list;
    const [x, y] = d.chance(0.5) ? [a, d.chance(0.1) ? [] : cut(b)] : [cut(a), b];
    const rank = Math.max(x.length, y.length), pad = s => [...Array(rank - s.length).fill(1), ...s];
    return [x, y, pad(x).map((extent, i) => Math.max(extent, pad(y)[i]))];
}

function binary(name, types, { to, activates, same, positive, most, below, plain } = {}) {
    return (d, g) => {
        const type = d.pick(types), [a, b, shape] = broadcast(d, most);
        const x = operand(d, g, type, a, { constant: d.chance(0.1), positive, below, plain });
        const y = operand(d, g, type, b, { constant: !x.data && d.chance(0.3), positive, below, plain, like: same ? x : undefined });
        const out = result(d, g, to ?? type, shape, to || plain ? {} : same ? same_q(x) : undefined);
        const integer = integers.includes(type);
        return [g.op(name, [x, y], [out], activates && !integer ? { activation: activation(d) } : {})];
    };
}

export const out_extent = (padding, extent, kernel, stride, dilation = 1) => {
    const reach = (kernel - 1) * dilation + 1;
    return padding === 'same' ? Math.ceil(extent / stride) : Math.ceil((extent - reach + 1) / stride);
};

/** The scales of weights, and a bias that fits them. */
export function layer_weights(d, g, type, shape, x, axis, channels) {
    if (type === 'float32') {
        const weights = g.constant('float32', shape, d.values('float32', size_of(shape)).map(v => v * 0.3));
        return [weights, d.chance(0.15) && axis !== undefined ? g.constant('float32', [channels], Array(channels).fill(0))
            : g.constant('float32', [channels], d.values('float32', channels))];
    }
    const symmetric = type !== 'uint8', per_channel = symmetric && d.chance(0.6);
    const one = () => Math.fround(Math.exp(d.next() * 2 - 5));
    const scale = per_channel ? Array.from({ length: channels }, one) : one();
    const zero = symmetric ? (per_channel ? Array(channels).fill(0) : 0) : d.int(0, 255);
    const values = d.values(symmetric ? 'int8' : 'uint8', size_of(shape)).map(v => symmetric ? Math.max(v, -127) : v);
    const weights = g.constant(symmetric ? 'int8' : 'uint8', shape, values, { scale, zero, axis: per_channel ? axis : 0 });
    const bias_type = type === 'int16' ? 'int64' : 'int32';
    const bias = g.constant(bias_type, [channels], Array.from({ length: channels }, () => d.int(-2000, 2000)), {
        scale: per_channel ? scale.map(s => Math.fround(s * x.scale)) : Math.fround(scale * x.scale), zero: per_channel ? Array(channels).fill(0) : 0,
    });
    return [weights, bias];
}
/** A scale under which most sums of `terms` products are not clipped. */
export const layer_result = (d, g, type, shape, terms) => type === 'float32' ? result(d, g, type, shape) : result(d, g, type, shape, {
    scale: Math.fround(Math.exp(d.next() * 2 - 2) * Math.sqrt(terms) * (type === 'int16' ? 0.004 : 0.2)),
    zero: type === 'int16' ? 0 : type === 'int8' ? d.int(-60, 60) : d.int(60, 190),
});

function convolution(d, g) {
    const type = d.pick(['float32', 'float32', ...quantized]), groups = type === 'float32' && d.chance(0.2) ? d.int(2, 3) : 1;
    const [kh, kw, sh, sw] = [d.int(1, 4), d.int(1, 4), d.int(1, 3), d.int(1, 3)], dilated = sh === 1 && sw === 1 && d.chance(0.4);
    const [dh, dw] = dilated ? [d.int(1, 3), d.int(1, 3)] : [1, 1], padding = d.pick(['same', 'valid']);
    const shape = [d.int(1, 2), d.int((kh - 1) * dh + 1, 11), d.int((kw - 1) * dw + 1, 11), groups * d.int(1, 9)], out = groups * d.int(1, 9);
    const x = operand(d, g, type, shape), [w, b] = layer_weights(d, g, type, [out, kh, kw, shape[3] / groups], x, 0, out);
    const y = layer_result(d, g, type, [shape[0], out_extent(padding, shape[1], kh, sh, dh), out_extent(padding, shape[2], kw, sw, dw), out], kh * kw * shape[3]);
    return [g.op('CONV_2D', [x, w, b], [y], { padding, stride_h: sh, stride_w: sw, dilation_h: dh, dilation_w: dw, activation: activation(d) })];
}

function depthwise(d, g) {
    const type = d.pick(['float32', 'float32', ...quantized]), multiplier = d.pick([1, 1, 1, 2, 3]);
    const [kh, kw, s] = [d.int(1, 4), d.int(1, 4), d.int(1, 3)], dilated = s === 1 && d.chance(0.4), padding = d.pick(['same', 'valid']);
    const [dh, dw] = dilated ? [d.int(1, 3), d.int(1, 3)] : [1, 1];
    const shape = [d.int(1, 2), d.int((kh - 1) * dh + 1, 11), d.int((kw - 1) * dw + 1, 11), d.int(1, 9)], out = shape[3] * multiplier;
    const x = operand(d, g, type, shape), [w, b] = layer_weights(d, g, type, [1, kh, kw, out], x, 3, out);
    const y = layer_result(d, g, type, [shape[0], out_extent(padding, shape[1], kh, s, dh), out_extent(padding, shape[2], kw, s, dw), out], kh * kw);
    const options = { padding, stride_h: s, stride_w: s, dilation_h: dh, dilation_w: dw, activation: activation(d), multiplier };
    return [g.op('DEPTHWISE_CONV_2D', [x, w, b], [y], options)];
}

function transposed(d, g) {
    const type = d.pick(['float32', 'float32', ...quantized]), [kh, kw, sh, sw] = [d.int(1, 4), d.int(1, 4), d.int(1, 3), d.int(1, 3)];
    const padding = d.pick(['same', 'valid']), shape = [d.int(1, 2), d.int(1, 6), d.int(1, 6), d.int(1, 5)], out = d.int(1, 5);
    const extent = (n, k, s) => padding === 'same' ? n * s - (d.chance(0.3) ? d.int(0, s - 1) : 0) : (n - 1) * s + k;
    const size = [shape[0], extent(shape[1], kh, sh), extent(shape[2], kw, sw), out];
    const x = operand(d, g, type, shape), [w, b] = layer_weights(d, g, type, [out, kh, kw, shape[3]], x, 0, out);
    const y = layer_result(d, g, type, size, kh * kw * shape[3]);
    const inputs = [indices(g, size), w, x, ...(d.chance(0.7) ? [b] : [])];
    return [g.op('TRANSPOSE_CONV', inputs, [y], { padding, stride_h: sh, stride_w: sw, activation: d.chance(0.7) ? 'none' : activation(d) })];
}

function convolution_3d(d, g) {
    const k = [d.int(1, 3), d.int(1, 3), d.int(1, 3)], s = [d.int(1, 2), d.int(1, 2), d.int(1, 2)], padding = d.pick(['same', 'valid']);
    const shape = [d.int(1, 2), ...k.map(extent => d.int(extent, 6)), d.int(1, 4)], out = d.int(1, 4);
    const x = operand(d, g, 'float32', shape), w = g.constant('float32', [...k, shape[4], out], d.values('float32', size_of(k) * shape[4] * out));
    const b = g.constant('float32', [out], d.values('float32', out));
    const y = result(d, g, 'float32', [shape[0], ...k.map((extent, i) => out_extent(padding, shape[i + 1], extent, s[i])), out]);
    return [g.op('CONV_3D', d.chance(0.7) ? [x, w, b] : [x, w], [y], { padding, stride_d: s[0], stride_h: s[1], stride_w: s[2], activation: activation(d) })];
}

function fully_connected(d, g) {
    const type = d.pick(['float32', 'float32', ...quantized]), keep_dims = d.chance(0.4), depth = d.int(1, 20), units = d.int(1, 12);
    const shape = [...d.shape(d.int(1, 3), 4), depth], x = operand(d, g, type, shape), [w, b] = layer_weights(d, g, type, [units, depth], x, 0, units);
    const to = keep_dims ? [...shape.slice(0, -1), units] : [size_of(shape) / depth, units];
    const y = layer_result(d, g, type, to, depth);
    return [g.op('FULLY_CONNECTED', [x, w, d.chance(0.75) ? b : null], [y], { activation: activation(d), keep_dims })];
}

function pool(name, types) {
    return (d, g) => {
        const type = d.pick(types), [kh, kw, sh, sw] = [d.int(1, 5), d.int(1, 5), d.int(1, 3), d.int(1, 3)], padding = d.pick(['same', 'valid']);
        const shape = [d.int(1, 2), d.int(kh, 11), d.int(kw, 11), d.int(1, 9)], x = operand(d, g, type, shape);
        const y = result(d, g, type, [shape[0], out_extent(padding, shape[1], kh, sh), out_extent(padding, shape[2], kw, sw), shape[3]], same_q(x));
        return [g.op(name, [x], [y], { padding, stride_h: sh, stride_w: sw, filter_h: kh, filter_w: kw, activation: activation(d) })];
    };
}

function reduction(name, types) {
    return (d, g) => {
        const type = d.pick(types), rank = d.int(1, 5), shape = d.shape(rank, 5), x = operand(d, g, type, shape, name === 'REDUCE_PROD' && /^int(32|64)$/.test(type) ? { below: 3 } : {});  // no product that wraps
        const axes = d.shuffled([...Array(rank).keys()]).slice(0, d.int(1, rank)), keep = d.chance(0.5);
        const to = keep ? shape.map((n, i) => axes.includes(i) ? 1 : n) : shape.filter((_, i) => !axes.includes(i));
        const y = result(d, g, type, to, /MAX|MIN/.test(name) ? same_q(x) : undefined);
        const given = axes.map(axis => d.chance(0.3) ? axis - rank : axis);
        return [g.op(name, [x, given.length === 1 && d.chance(0.3) ? indices(g, given, 'int32', []) : indices(g, given)], [y], { keep })];
    };
}

function arg(name) {
    return (d, g) => {
        const type = d.pick(['float32', 'int8', 'uint8', 'int32']), rank = d.int(1, 4), shape = d.shape(rank), axis = d.int(-rank, rank - 1);
        const x = operand(d, g, type, shape), to = d.pick(integers);
        const y = result(d, g, to, shape.filter((_, i) => i !== (axis + rank) % rank));
        return [g.op(name, [x, indices(g, [axis], 'int32', d.pick([[], [1]]))], [y], { to: type_numbers[to] })];
    };
}

const any = ['float32', 'int32', 'int8', 'uint8', 'int64', 'int16', 'bool'], moved = ['float32', 'float32', 'int32', 'int8', 'uint8', 'int16', 'int64', 'bool'];

function concatenation(d, g) {
    const type = d.pick(['float32', 'float32', 'int8', 'uint8', 'int16', 'int32', 'int64']), rank = d.int(1, 5), axis = d.int(0, rank - 1), shape = d.shape(rank);
    const same = d.chance(0.5) || type === 'int16', parts = Array.from({ length: d.int(1, 5) }, () => shape.map((n, i) => i === axis ? d.int(1, 5) : n));
    const xs = [];
    for (const part of parts) xs.push(operand(d, g, type, part, { constant: xs.length && d.chance(0.2), like: same && xs.length ? xs[0] : undefined }));
    const y = result(d, g, type, shape.map((n, i) => i === axis ? parts.reduce((sum, part) => sum + part[axis], 0) : n), same ? same_q(xs[0]) : undefined);
    return [g.op('CONCATENATION', xs, [y], { axis: d.chance(0.3) ? axis - rank : axis })];
}

function reshape(d, g) {
    const type = d.pick(moved), shape = d.shape(d.int(1, 4)), x = operand(d, g, type, shape), to = d.shuffled(shape);
    if (d.chance(0.3)) to.push(1);
    if (to.length > 1 && d.chance(0.4)) to.splice(0, 2, to[0] * to[1]);
    const given = d.chance(0.3) ? to.map((n, i) => i === 0 ? -1 : n) : to;
    const inputs = d.chance(0.7) ? [x, indices(g, given)] : [x];
    return [g.op('RESHAPE', inputs, [result(d, g, type, to, same_q(x))], { new_shape: Int32Array.from(given) })];
}

function transpose(d, g) {
    const type = d.pick(moved), rank = d.int(1, 6), shape = d.shape(rank, 5), order = d.shuffled([...Array(rank).keys()]), x = operand(d, g, type, shape);
    return [g.op('TRANSPOSE', [x, indices(g, order)], [result(d, g, type, order.map(i => shape[i]), same_q(x))])];
}

function strided_slice(d, g) {
    const type = d.pick(moved), rank = d.int(1, 4), shape = d.shape(rank, 7), x = operand(d, g, type, shape);
    const begin = [], end = [], strides = [], to = [];
    const masks = { begin: 0, end: 0, shrink: 0, new_axis: 0, ellipsis: 0 };
    const given = d.chance(0.2) ? d.int(1, rank) : rank;
    let place = 0;
    for (let i = 0; i < given; i++, place++) {
        if (d.chance(0.12) && to.length < 5) {
            masks.new_axis |= 1 << place, begin.push(0), end.push(0), strides.push(1), to.push(1), i--;
            continue;
        }
        const n = shape[i], stride = d.chance(0.6) ? 1 : d.pick([2, 3, -1, -2]), shrink = stride > 0 && d.chance(0.2);
        if (shrink) {
            const at = d.int(0, n - 1);
            masks.shrink |= 1 << place, begin.push(d.chance(0.3) ? at - n : at), end.push(at + 1), strides.push(1);
            continue;
        }
        const free_begin = d.chance(0.3), free_end = d.chance(0.3);
        const low = d.int(0, n - 1), high = d.int(low, n - 1);
        const from = free_begin ? (stride > 0 ? 0 : n - 1) : stride > 0 ? low : high, last = free_end ? (stride > 0 ? n : -1) : stride > 0 ? high + 1 : low - 1;
        if (free_begin) masks.begin |= 1 << place;
        if (free_end || last < 0) masks.end |= 1 << place;
        begin.push(free_begin ? d.int(-3, 3) : d.chance(0.3) ? from - n : from);
        end.push(free_end || last < 0 ? d.int(-3, 3) : last === n && d.chance(0.3) ? n + d.int(0, 9) : last);
        strides.push(stride);
        const stop = last < 0 ? -1 : last;
        to.push(Math.max(0, Math.ceil((stop - from) / stride)));
    }
    for (let i = given; i < rank; i++) to.push(shape[i]);
    return [g.op('STRIDED_SLICE', [x, indices(g, begin), indices(g, end), indices(g, strides)], [result(d, g, type, to, same_q(x))], masks)];
}

function slice(d, g) {
    const type = d.pick(moved), shape = d.shape(d.int(1, 5)), x = operand(d, g, type, shape), begin = shape.map(n => d.int(0, n - 1));
    const size = shape.map((n, i) => d.int(1, n - begin[i])), index_type = d.pick(integers);
    const given = size.map((n, i) => begin[i] + n === shape[i] && d.chance(0.5) ? -1 : n);
    return [g.op('SLICE', [x, indices(g, begin, index_type), indices(g, given, index_type)], [result(d, g, type, size, same_q(x))])];
}

function pad(name) {
    return (d, g) => {
        const type = d.pick(['float32', 'float32', 'int8', 'uint8', 'int16', 'int32', 'int64']), rank = d.int(1, 4), shape = d.shape(rank), x = operand(d, g, type, shape);
        const mode = d.int(0, 1), most = n => name !== 'MIRROR_PAD' ? 3 : mode ? n : n - 1;
        const pads = shape.flatMap(n => [d.int(0, Math.min(3, most(n))), d.int(0, Math.min(3, most(n)))]);
        const inputs = [x, indices(g, pads, d.pick(integers), [rank, 2])];
        if (name === 'PADV2') inputs.push(g.constant(type, d.pick([[], [1]]), d.values(type, 1), same_q(x)));
        const y = result(d, g, type, shape.map((n, i) => n + pads[2 * i] + pads[2 * i + 1]), same_q(x));
        return [g.op(name, inputs, [y], name === 'MIRROR_PAD' ? { mode } : {})];
    };
}

function resize(name, types) {
    return (d, g) => {
        const type = d.pick(types), shape = [d.int(1, 2), d.int(1, 7), d.int(1, 7), d.int(1, 4)], to = [d.int(1, 13), d.int(1, 13)], x = operand(d, g, type, shape);
        const options = d.pick([{}, { align: true }, { half: true }]);
        return [g.op(name, [x, indices(g, to)], [result(d, g, type, [shape[0], ...to, shape[3]], same_q(x))], options)];
    };
}

function split(d, g) {
    const type = d.pick(['float32', 'int8', 'uint8', 'int16', 'int32']), rank = d.int(1, 4), shape = d.shape(rank, 4), axis = d.int(0, rank - 1), parts = d.int(1, 4);
    shape[axis] *= parts;
    const x = operand(d, g, type, shape), to = shape.map((n, i) => i === axis ? n / parts : n);
    const ys = Array.from({ length: parts }, () => result(d, g, type, to, same_q(x)));
    g.op('SPLIT', [indices(g, [d.chance(0.3) ? axis - rank : axis], 'int32', d.pick([[], [1]])), x], ys, { parts });
    return ys;
}
function split_by_sizes(d, g) {
    const type = d.pick(['float32', 'int8', 'uint8', 'int16', 'int32', 'int64']), rank = d.int(1, 4), shape = d.shape(rank, 4), axis = d.int(0, rank - 1);
    const sizes = Array.from({ length: d.int(1, 4) }, () => d.int(1, 4));
    shape[axis] = sizes.reduce((a, b) => a + b);
    const x = operand(d, g, type, shape), given = sizes.map((n, i) => i === 1 && d.chance(0.4) ? -1 : n);
    const ys = sizes.map(size => result(d, g, type, shape.map((n, i) => i === axis ? size : n), same_q(x)));
    g.op('SPLIT_V', [x, indices(g, given), indices(g, [d.chance(0.3) ? axis - rank : axis], 'int32', [])], ys, { parts: sizes.length });
    return ys;
}

function pack(d, g) {
    const type = d.pick(moved), shape = d.shape(d.int(0, 4), 5), axis = d.int(0, shape.length), count = d.int(1, 4), xs = [];
    for (let i = 0; i < count; i++) xs.push(operand(d, g, type, shape, { like: xs[0] }));
    const to = [...shape.slice(0, axis), count, ...shape.slice(axis)];
    return [g.op('PACK', xs, [result(d, g, type, to, same_q(xs[0]))], { count, axis: d.chance(0.3) ? axis - shape.length - 1 : axis })];
}
function unpack(d, g) {
    const type = d.pick(['float32', 'int8', 'uint8', 'int16', 'int32', 'bool']), rank = d.int(1, 4), shape = d.shape(rank, 4), axis = d.int(0, rank - 1), x = operand(d, g, type, shape);
    const ys = Array.from({ length: shape[axis] }, () => result(d, g, type, shape.filter((_, i) => i !== axis), same_q(x)));
    g.op('UNPACK', [x], ys, { count: shape[axis], axis: d.chance(0.3) ? axis - rank : axis });
    return ys;
}
function squeeze(d, g) {
    const type = d.pick(moved), shape = d.shape(d.int(1, 5), 3).map(n => d.chance(0.4) ? 1 : n), ones = shape.map((n, i) => n === 1 ? i : -1).filter(i => i >= 0);
    const all = d.chance(0.3), taken = all ? ones : ones.filter(() => d.chance(0.6)), x = operand(d, g, type, shape);
    const away = taken.length ? taken : ones, to = shape.filter((_, i) => !away.includes(i));
    const axes = all ? [] : taken.map(i => d.chance(0.3) ? i - shape.length : i);
    return [g.op('SQUEEZE', [x], [result(d, g, type, to, same_q(x))], { axes: Int32Array.from(axes) })];
}
function expand(d, g) {
    const type = d.pick(moved), shape = d.shape(d.int(0, 4), 5), axis = d.int(0, shape.length), x = operand(d, g, type, shape);
    const given = indices(g, [d.chance(0.3) ? axis - shape.length - 1 : axis], d.pick(integers), d.pick([[], [1]]));
    return [g.op('EXPAND_DIMS', [x, given], [result(d, g, type, [...shape.slice(0, axis), 1, ...shape.slice(axis)], same_q(x))])];
}
function tile(d, g) {
    const type = d.pick(['float32', 'int32', 'int64', 'uint8', 'int8', 'bool']), shape = d.shape(d.int(1, 4), 4), times = shape.map(() => d.int(1, 3)), x = operand(d, g, type, shape);
    return [g.op('TILE', [x, indices(g, times, d.pick(integers))], [result(d, g, type, shape.map((n, i) => n * times[i]), same_q(x))])];
}
function gather(d, g) {
    const type = d.pick(moved), batch = d.int(0, 2), rank = d.int(batch + 1, 4), axis = d.int(batch, rank - 1), shape = d.shape(rank, 5);
    const at = [...shape.slice(0, batch), ...d.shape(d.int(batch ? 1 : 0, 2), 4)], to = [...shape.slice(0, axis), ...at.slice(batch), ...shape.slice(axis + 1)];
    const x = operand(d, g, type, shape), i = operand(d, g, d.pick(integers), at, { constant: d.chance(0.3), below: shape[axis] });
    return [g.op('GATHER', [x, i], [result(d, g, type, to, same_q(x))], { axis: d.chance(0.2) ? axis - rank : axis, batch })];
}
function gather_nd(d, g) {
    const type = d.pick(['float32', 'int32', 'int8', 'uint8', 'int64', 'int16', 'bool']), rank = d.int(1, 4), shape = d.shape(rank, 5), depth = d.int(1, rank), places = d.shape(d.int(0, 2), 4);
    const least = Math.min(...shape.slice(0, depth)), x = operand(d, g, type, shape), i = operand(d, g, d.pick(integers), [...places, depth], { below: least });
    return [g.op('GATHER_ND', [x, i], [result(d, g, type, [...places, ...shape.slice(depth)], same_q(x))])];
}
function scatter_nd(d, g) {
    const type = d.pick(['float32', 'int32', 'int8', 'uint8', 'int64']), rank = d.int(1, 4), shape = d.shape(rank, 5), depth = d.int(1, rank), places = d.shape(d.int(1, 2), 4);
    const least = Math.min(...shape.slice(0, depth)), i = operand(d, g, 'int32', [...places, depth], { below: least }), x = operand(d, g, type, [...places, ...shape.slice(depth)]);
    return [g.op('SCATTER_ND', [i, x, indices(g, shape)], [result(d, g, type, shape, same_q(x))])];
}
function select(name) {
    return (d, g) => {
        const type = d.pick(['float32', 'int32', 'int8', 'uint8', 'int64', 'int16', 'bool']);
        let [a, b, shape] = broadcast(d, 4), c = shape.map(n => d.chance(0.2) ? 1 : n);
        if (name === 'SELECT') a = b = shape, c = shape;
        const rows = name === 'SELECT' && d.chance(0.3);
        const rank = Math.max(a.length, b.length, c.length), wide = [a, b, c].map(s => [...Array(rank - s.length).fill(1), ...s]);
        const to = Array.from({ length: rank }, (_, i) => Math.max(...wide.map(s => s[i])));
        const condition = operand(d, g, 'bool', rows ? [shape[0]] : c), x = operand(d, g, type, a), y = operand(d, g, type, b, { like: x, constant: d.chance(0.2) });
        return [g.op(name, [condition, x, y], [result(d, g, type, to, same_q(x))])];
    };
}
function batch_product(d, g) {
    const type = d.pick(['float32', 'float32', 'int8']), [m, k, n] = [d.int(1, 7), d.int(1, 7), d.int(1, 7)], [ax, ay] = [d.chance(0.3), d.chance(0.3)];
    const batch = d.shape(d.int(0, 3), 3), a = batch.map(e => d.chance(0.2) ? 1 : e), b = (d.chance(0.2) ? batch.slice(1) : batch).map(e => d.chance(0.2) ? 1 : e);
    const pad = s => [...Array(batch.length - s.length).fill(1), ...s], to = batch.map((_, i) => Math.max(a[i], pad(b)[i]));
    const x = operand(d, g, type, [...a, ...(ax ? [k, m] : [m, k])]), y = operand(d, g, type, [...b, ...(ay ? [n, k] : [k, n])], { constant: d.chance(0.3) });
    const z = type === 'float32' ? result(d, g, type, [...to, m, n]) : result(d, g, type, [...to, m, n], { scale: Math.fround(x.scale * y.scale * 80 * k), zero: d.int(-20, 20) });
    return [g.op('BATCH_MATMUL', [x, y], [z], { adjoint_x: ax, adjoint_y: ay })];
}
function quantize(d, g) {
    const from = d.pick(['float32', 'float32', ...quantized]), to = d.pick(quantized), shape = d.shape(d.int(1, 4)), x = operand(d, g, from, shape);
    return [g.op('QUANTIZE', [x], [result(d, g, to, shape)])];
}
function dequantize(d, g) {
    const from = d.pick(quantized), shape = d.shape(d.int(1, 4));
    return [g.op('DEQUANTIZE', [operand(d, g, from, shape)], [result(d, g, 'float32', shape)])];
}
function cast(d, g) {
    const from = d.pick(any), to = d.pick(any), shape = d.shape(d.int(1, 4)), x = g.input(from, shape);
    x.values = from === 'float32' && to !== 'float32' ? { below: 128 } : {};  // what does not fit is not defined
    return [g.op('CAST', [x], [g.tensor(to, shape)], { from: type_numbers[from], to: type_numbers[to] })];
}
function one_hot(d, g) {
    const shape = d.shape(d.int(0, 3), 4), axis = d.int(-1, shape.length), depth = d.int(1, 6), type = d.pick(['float32', 'int32', 'int64', 'uint8', 'int8', 'bool']);
    const at = axis < 0 ? shape.length : axis, i = operand(d, g, d.pick(integers), shape, { below: depth + 1 });
    const ends = d.values(type, 2), value = v => g.constant(type, [], [v]);
    return [g.op('ONE_HOT', [i, indices(g, [depth], 'int32', []), value(ends[0]), value(ends[1])], [g.tensor(type, [...shape.slice(0, at), depth, ...shape.slice(at)])], { axis })];
}
function top_k(d, g) {
    const type = d.pick(['float32', 'int32', 'int8', 'uint8', 'int64']), shape = d.shape(d.int(1, 4), 8), k = d.int(1, shape.at(-1)), x = operand(d, g, type, shape), to = [...shape.slice(0, -1), k];
    const ys = [result(d, g, type, to, same_q(x)), g.tensor('int32', to)];
    g.op('TOPK_V2', [x, indices(g, [k], 'int32', [])], ys);
    return ys;
}
function reverse(d, g) {
    const type = d.pick(['float32', 'int32', 'int64', 'uint8', 'int16', 'bool', 'int8']), rank = d.int(1, 5), x = operand(d, g, type, d.shape(rank, 5)), first = d.int(0, rank - 1);
    const axes = Array.from({ length: d.int(1, rank - first) }, (_, i) => first + i);
    return [g.op('REVERSE_V2', [x, indices(g, axes)], [result(d, g, type, x.shape, same_q(x))])];
}
function reverse_sequence(d, g) {
    const type = d.pick(['float32', 'int32', 'int64', 'uint8', 'int16']), rank = d.int(2, 4), shape = d.shape(rank, 5), [seq_dim, batch_dim] = d.shuffled([...Array(rank).keys()]);
    const x = operand(d, g, type, shape), lengths = operand(d, g, d.pick(integers), [shape[batch_dim]], { below: shape[seq_dim] + 1, constant: d.chance(0.3) });
    return [g.op('REVERSE_SEQUENCE', [x, lengths], [result(d, g, type, shape, same_q(x))], { seq_dim, batch_dim })];
}
function blocks(name) {
    return (d, g) => {
        const type = d.pick(['float32', 'int8', 'uint8', 'int32', 'int64']), b = d.int(1, 3), wide = [d.int(1, 2), d.int(1, 4) * b, d.int(1, 4) * b, d.int(1, 4)];
        const deep = [wide[0], wide[1] / b, wide[2] / b, wide[3] * b * b], [from, to] = name === 'SPACE_TO_DEPTH' ? [wide, deep] : [deep, wide], x = operand(d, g, type, from);
        return [g.op(name, [x], [result(d, g, type, to, same_q(x))], { block: b })];
    };
}
function space_to_batch(d, g) {
    const type = d.pick(['float32', 'int8', 'uint8', 'int32', 'int64', 'int16']), dims = d.int(1, 2), b = Array.from({ length: dims }, () => d.int(1, 3));
    const pads = b.map(() => [d.int(0, 2), 0]), extent = b.map((n, i) => { const e = d.int(1, 6); pads[i][1] = (n - (e + pads[i][0]) % n) % n; return e; });
    const shape = [d.int(1, 2), ...extent, d.int(1, 4)], x = operand(d, g, type, shape);
    const to = [shape[0] * size_of(b), ...extent.map((e, i) => (e + pads[i][0] + pads[i][1]) / b[i]), shape.at(-1)];
    return [g.op('SPACE_TO_BATCH_ND', [x, indices(g, b), indices(g, pads.flat(), 'int32', [dims, 2])], [result(d, g, type, to, same_q(x))])];
}
function batch_to_space(d, g) {
    const type = d.pick(['float32', 'int8', 'uint8', 'int32', 'int64', 'int16']), dims = d.int(1, 2), b = Array.from({ length: dims }, () => d.int(1, 3)), extent = b.map(() => d.int(1, 5));
    const crops = b.map((n, i) => { const first = d.int(0, Math.min(2, n * extent[i] - 1)); return [first, d.int(0, Math.min(2, n * extent[i] - 1 - first))]; });
    const shape = [d.int(1, 2) * size_of(b), ...extent, d.int(1, 4)], x = operand(d, g, type, shape);
    const to = [shape[0] / size_of(b), ...extent.map((e, i) => e * b[i] - crops[i][0] - crops[i][1]), shape.at(-1)];
    return [g.op('BATCH_TO_SPACE_ND', [x, indices(g, b), indices(g, crops.flat(), 'int32', [dims, 2])], [result(d, g, type, to, same_q(x))])];
}
function prelu(d, g) {
    const type = d.pick(['float32', 'float32', 'int8', 'uint8']), shape = d.shape(d.int(1, 4)), x = operand(d, g, type, shape);
    const alpha = d.pick([shape.slice(-1), shape, shape.map((n, i) => i === shape.length - 1 || d.chance(0.5) ? n : 1)]);
    return [g.op('PRELU', [x, operand(d, g, type, alpha, { constant: true })], [result(d, g, type, shape)])];
}
function cumulative(d, g) {
    const type = d.pick(['float32', 'int32', 'int64']), rank = d.int(1, 4), x = operand(d, g, type, d.shape(rank));
    return [g.op('CUMSUM', [x, indices(g, [d.int(-rank, rank - 1)], 'int32', [])], [result(d, g, type, x.shape)], { exclusive: d.chance(0.5), reverse: d.chance(0.5) })];
}
function broadcast_to(d, g) {
    const type = d.pick(['float32', 'int32', 'int8', 'uint8', 'int64', 'int16', 'bool']), to = d.shape(d.int(1, 5), 4), from = to.slice(d.int(0, to.length - 1)).map(n => d.chance(0.4) ? 1 : n), x = operand(d, g, type, from);
    return [g.op('BROADCAST_TO', [x, indices(g, to, d.pick(integers))], [result(d, g, type, to, same_q(x))])];
}
function update(d, g) {
    const type = d.pick(['float32', 'int32', 'int8', 'int64', 'bool', 'uint8', 'int16']), shape = d.shape(d.int(1, 4)), small = shape.map(n => d.int(1, n)), x = operand(d, g, type, shape);
    const y = operand(d, g, type, small, { like: x }), start = operand(d, g, d.pick(integers), [shape.length], { below: 8, constant: d.chance(0.3) });
    return [g.op('DYNAMIC_UPDATE_SLICE', [x, y, start], [result(d, g, type, shape, same_q(x))])];
}
function embedding(d, g) {
    const type = d.pick(['float32', 'int8', 'uint8']), shape = [d.int(1, 6), ...d.shape(d.int(1, 3), 4)], i = operand(d, g, 'int32', [d.int(1, 5)], { below: shape[0] });
    const x = operand(d, g, type, shape, { constant: d.chance(0.7) });
    return [g.op('EMBEDDING_LOOKUP', [i, x], [result(d, g, type, [i.shape[0], ...shape.slice(1)], same_q(x))])];
}
function atan2(d, g) {
    const shape = d.shape(d.int(1, 4)), y = operand(d, g, 'float32', shape), x = operand(d, g, 'float32', shape);
    return [g.op('ATAN2', [y, x], [result(d, g, 'float32', shape)])];
}
function add_many(d, g) {
    const type = d.pick(['float32', 'int32']), shape = d.shape(d.int(1, 4)), xs = Array.from({ length: d.int(2, 5) }, () => operand(d, g, type, shape));
    return [g.op('ADD_N', xs, [result(d, g, type, shape)])];
}
function shape_of(d, g) {
    const x = operand(d, g, d.pick(any), d.shape(d.int(1, 4))), to = d.pick(integers), s = g.op('SHAPE', [x], [g.tensor(to, [x.shape.length])], { to: type_numbers[to] });
    return [g.op('CAST', [s], [g.tensor('float32', s.shape)], { from: type_numbers[to], to: 0 })];  // LiteRT.js gives SHAPE itself as garbage
}
function fill(d, g) {
    const type = d.pick(['float32', 'int32', 'int64', 'bool', 'int8', 'int16']), to = d.shape(d.int(1, 4)), v = g.input(type, [], d.quantization(type));
    return [g.op('FILL', [indices(g, to, d.pick(integers)), v], [g.tensor(type, to, same_q(v))])];
}
function local_response(d, g) {
    const x = operand(d, g, 'float32', [d.int(1, 2), d.int(1, 4), d.int(1, 4), d.int(1, 9)]);
    return [g.op('LOCAL_RESPONSE_NORMALIZATION', [x], [result(d, g, 'float32', x.shape)], { radius: d.int(0, 4), bias: d.next() + 0.5, alpha: d.next(), beta: d.next() })];
}

/** Weights of 16 bits behind a DEQUANTIZE, as converters write a model of halves. */
function half_weights(d, g) {
    const [rows, depth, units] = [d.int(1, 5), d.int(1, 12), d.int(1, 9)], x = operand(d, g, 'float32', [rows, depth]);
    const bits = Array.from({ length: units * depth }, () => d.int(0, 1) << 15 | d.int(10, 16) << 10 | d.int(0, 1023));
    const weights = g.op('DEQUANTIZE', [g.half_constant([units, depth], bits)], [g.tensor('float32', [units, depth])]);
    return [g.op('FULLY_CONNECTED', [x, weights, null], [g.tensor('float32', [rows, units])], { activation: activation(d), keep_dims: false })];
}
/** Real numbers times weights of 8 or 4 bits: LiteRT rounds the numbers to 8 bits for that. */
function hybrid(bits) {
    return (d, g) => {
        const [rows, depth, units] = [d.int(1, 5), d.int(1, 20) * 2, d.int(1, 9)], x = operand(d, g, 'float32', [rows, depth]), most = bits === 4 ? 7 : 127;
        const per_channel = d.chance(0.5), one = () => Math.fround(d.next() / most + 1e-4), values = Array.from({ length: units * depth }, () => d.int(-most, most));
        const quantized = { scale: per_channel ? Array.from({ length: units }, one) : one(), zero: per_channel ? Array(units).fill(0) : 0, axis: 0 };
        const weights = bits === 4 ? g.nibble_constant([units, depth], values, quantized) : g.constant('int8', [units, depth], values, quantized);
        const bias = d.chance(0.7) ? g.constant('float32', [units], d.values('float32', units)) : null;
        return [g.op('FULLY_CONNECTED', [x, weights, bias], [g.tensor('float32', [rows, units])], { activation: 'none', keep_dims: false })];
    };
}
/** Numbers of 8 bits times weights of 4. */
function nibble_weights(d, g) {
    const [rows, depth, units] = [d.int(1, 5), d.int(1, 20) * 2, d.int(1, 9)], x = operand(d, g, 'int8', [rows, depth]), per_channel = d.chance(0.7);
    const one = () => Math.fround(d.next() / 7 + 1e-3), scale = per_channel ? Array.from({ length: units }, one) : one(), zero = per_channel ? Array(units).fill(0) : 0;
    const weights = g.nibble_constant([units, depth], Array.from({ length: units * depth }, () => d.int(-7, 7)), { scale, zero, axis: 0 });
    const bias = g.constant('int32', [units], Array.from({ length: units }, () => d.int(-500, 500)), { scale: per_channel ? scale.map(s => Math.fround(s * x.scale)) : Math.fround(scale * x.scale), zero });
    return [g.op('FULLY_CONNECTED', [x, weights, d.chance(0.7) ? bias : null], [layer_result(d, g, 'int8', [rows, units], depth)], { activation: activation(d), keep_dims: false })];
}

const sigmoid_q = { int8: { scale: 1 / 256, zero: -128 }, uint8: { scale: 1 / 256, zero: 0 }, int16: { scale: 1 / 32768, zero: 0 } };
const tanh_q = { int8: { scale: 1 / 128, zero: 0 }, uint8: { scale: 1 / 128, zero: 128 }, int16: { scale: 1 / 32768, zero: 0 } };
const log_softmax_q = { int8: { scale: 16 / 256, zero: 127 }, uint8: { scale: 16 / 256, zero: 255 } };
const eight = ['float32', 'float32', 'int8', 'uint8'], all_q = ['float32', 'float32', ...quantized], arithmetic = ['float32', 'float32', ...quantized, ...integers];

export const recipes = {
    ABS: unary('ABS', ['float32', 'int32', 'int8', 'int16']), CEIL: unary('CEIL', floats), COS: unary('COS', floats), ELU: unary('ELU', ['float32', 'int8']),
    EXP: unary('EXP', ['float32', 'int8', 'int16']), FLOOR: unary('FLOOR', floats), GELU: unary('GELU', eight, { options: d => ({ approximate: d.chance(0.5) }) }),
    HARD_SWISH: unary('HARD_SWISH', eight), LEAKY_RELU: unary('LEAKY_RELU', all_q, { options: d => ({ alpha: d.next() * 1.5 - 0.1 }) }),
    LOG: unary('LOG', ['float32', 'int8'], { positive: true }), LOGISTIC: unary('LOGISTIC', all_q, { fixed: sigmoid_q }), LOG_SOFTMAX: unary('LOG_SOFTMAX', eight, { fixed: log_softmax_q }),
    NEG: unary('NEG', ['float32', ...integers, 'int8']), RELU: unary('RELU', all_q), RELU6: unary('RELU6', all_q), RELU_N1_TO_1: unary('RELU_N1_TO_1', eight),
    RELU_0_TO_1: unary('RELU_0_TO_1', eight), ROUND: unary('ROUND', floats), RSQRT: unary('RSQRT', ['float32', 'int8', 'int16'], { positive: true }), SIGN: unary('SIGN', ['float32', 'int32']),
    SIN: unary('SIN', floats), SQRT: unary('SQRT', ['float32', 'int8', 'int16'], { positive: true }), SQUARE: unary('SQUARE', floats), TANH: unary('TANH', all_q, { fixed: tanh_q }),
    SOFTMAX: unary('SOFTMAX', all_q, { fixed: sigmoid_q, options: d => ({ beta: d.chance(0.6) ? 1 : d.next() * 2 + 0.1 }), ranks: [1, 4] }),
    L2_NORMALIZATION: unary('L2_NORMALIZATION', ['float32', 'int8', 'uint8'], { fixed: tanh_q }), LOGICAL_NOT: unary('LOGICAL_NOT', ['bool']), ZEROS_LIKE: unary('ZEROS_LIKE', ['float32', ...integers]),
    ADD: binary('ADD', arithmetic, { activates: true }), SUB: binary('SUB', arithmetic, { activates: true }), MUL: binary('MUL', arithmetic, { activates: true }),
    DIV: binary('DIV', ['float32', 'float32', 'uint8', 'int32'], { activates: true, positive: true }), MAXIMUM: binary('MAXIMUM', arithmetic, { same: true }), MINIMUM: binary('MINIMUM', arithmetic, { same: true }),
    POW: binary('POW', ['float32', 'int32'], { positive: true, most: 4 }), FLOOR_DIV: binary('FLOOR_DIV', ['float32', 'int32', 'int16', 'int8'], { positive: true, most: 4, plain: true }),
    FLOOR_MOD: binary('FLOOR_MOD', ['float32', ...integers], { positive: true, most: 4 }), SQUARED_DIFFERENCE: binary('SQUARED_DIFFERENCE', ['float32', 'int32', 'int8'], { most: 4 }), ATAN2: atan2,
    LOGICAL_AND: binary('LOGICAL_AND', ['bool'], { most: 4 }), LOGICAL_OR: binary('LOGICAL_OR', ['bool'], { most: 4 }), BITWISE_XOR: binary('BITWISE_XOR', ['int8', 'uint8', 'int16', 'int32'], { most: 4, plain: true }),
    RIGHT_SHIFT: binary('RIGHT_SHIFT', ['int32', 'int8', 'uint8', 'int16'], { most: 4, below: 8, plain: true }),
    ...Object.fromEntries(['LESS', 'LESS_EQUAL', 'GREATER', 'GREATER_EQUAL', 'EQUAL', 'NOT_EQUAL'].map(name =>
        [name, binary(name, ['float32', 'int32', 'int64', 'int8', 'uint8', ...(/EQUAL$/.test(name) && name.length < 10 ? ['bool'] : [])], { to: 'bool', most: 4 })])),
    CONV_2D: convolution, DEPTHWISE_CONV_2D: depthwise, TRANSPOSE_CONV: transposed, CONV_3D: convolution_3d, FULLY_CONNECTED: fully_connected, BATCH_MATMUL: batch_product,
    AVERAGE_POOL_2D: pool('AVERAGE_POOL_2D', all_q), MAX_POOL_2D: pool('MAX_POOL_2D', all_q), L2_POOL_2D: pool('L2_POOL_2D', floats), LOCAL_RESPONSE_NORMALIZATION: local_response,
    ...Object.fromEntries([['MEAN', ['float32', 'float32', ...quantized, ...integers]], ['SUM', ['float32', 'int32', 'int8', 'uint8', 'int64']], ['REDUCE_MAX', ['float32', ...quantized, ...integers]],
        ['REDUCE_MIN', ['float32', ...quantized, ...integers]], ['REDUCE_PROD', ['float32', 'int32', 'int64', 'int8', 'int16']], ['REDUCE_ANY', ['bool']], ['REDUCE_ALL', ['bool']]].map(([name, types]) => [name, reduction(name, types)])),
    ARG_MAX: arg('ARG_MAX'), ARG_MIN: arg('ARG_MIN'), CONCATENATION: concatenation, RESHAPE: reshape, TRANSPOSE: transpose, STRIDED_SLICE: strided_slice, SLICE: slice, PAD: pad('PAD'), PADV2: pad('PADV2'),
    MIRROR_PAD: pad('MIRROR_PAD'), RESIZE_BILINEAR: resize('RESIZE_BILINEAR', all_q), RESIZE_NEAREST_NEIGHBOR: resize('RESIZE_NEAREST_NEIGHBOR', all_q), SPLIT: split, SPLIT_V: split_by_sizes, PACK: pack,
    UNPACK: unpack, SQUEEZE: squeeze, EXPAND_DIMS: expand, TILE: tile, GATHER: gather, GATHER_ND: gather_nd, SCATTER_ND: scatter_nd, SELECT: select('SELECT'), SELECT_V2: select('SELECT_V2'), QUANTIZE: quantize,
    DEQUANTIZE: dequantize, CAST: cast, ONE_HOT: one_hot, TOPK_V2: top_k, REVERSE_V2: reverse, REVERSE_SEQUENCE: reverse_sequence, SPACE_TO_DEPTH: blocks('SPACE_TO_DEPTH'), DEPTH_TO_SPACE: blocks('DEPTH_TO_SPACE'),
    SPACE_TO_BATCH_ND: space_to_batch, BATCH_TO_SPACE_ND: batch_to_space, PRELU: prelu, CUMSUM: cumulative, BROADCAST_TO: broadcast_to, DYNAMIC_UPDATE_SLICE: update, EMBEDDING_LOOKUP: embedding, ADD_N: add_many,
    SHAPE: shape_of, FILL: fill, HALF_WEIGHTS: half_weights, HYBRID: hybrid(8), HYBRID_OF_4_BITS: hybrid(4), WEIGHTS_OF_4_BITS: nibble_weights,
};
