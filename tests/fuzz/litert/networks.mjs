// Graphs of several operators, as converters write them: what is right alone may be wrong when it is fused with its neighbours.
import { size_of } from './graph.mjs';
import { activation, indices, layer_result, layer_weights, operand, out_extent, result, same_q } from './recipes.mjs';

/** Convolutions and what stands between them, of one type; `d.chance` of a residual, a branch, a resize; a classifier at the end. */
function network(d, g) {
    const type = d.pick(['float32', 'float32', 'int8', 'uint8']), float = type === 'float32';
    let x = operand(d, g, type, [d.pick([1, 1, 2]), d.int(5, 14), d.int(5, 14), d.int(1, 8)]);
    const seen = [x];

    const layer = depthwise => {
        const [n, h, w, c] = x.shape, k = d.pick([1, 3, 3, 5]), stride = Math.min(h, w) > 4 ? d.pick([1, 1, 2]) : 1, padding = 'same';
        const out = depthwise ? c : d.int(1, 12), [weights, bias] = layer_weights(d, g, type, depthwise ? [1, k, k, c] : [out, k, k, c], x, depthwise ? 3 : 0, out);
        const y = layer_result(d, g, type, [n, out_extent(padding, h, k, stride), out_extent(padding, w, k, stride), out], depthwise ? k * k : k * k * c);
        return g.op(depthwise ? 'DEPTHWISE_CONV_2D' : 'CONV_2D', [x, weights, bias], [y], {
            padding, stride_h: stride, stride_w: stride, dilation_h: 1, dilation_w: 1, activation: activation(d), ...(depthwise && { multiplier: 1 }),
        });
    };
    const like_x = () => result(d, g, type, x.shape, float ? {} : same_q(x));
    const steps = {
        convolution: () => layer(false), depthwise: () => layer(true),
        activate: () => g.op(d.pick(float ? ['RELU', 'RELU6', 'HARD_SWISH', 'LOGISTIC', 'TANH', 'ELU'] : ['RELU', 'RELU6']), [x], [like_x()]),
        leaky: () => g.op('LEAKY_RELU', [x], [like_x()], { alpha: 0.1 }),
        prelu: () => float ? g.op('PRELU', [x, g.constant('float32', [1, 1, x.shape[3]], d.values('float32', x.shape[3]))], [like_x()]) : x,
        scale: () => float ? g.op('ADD', [g.op('MUL', [x, g.constant('float32', [x.shape[3]], d.values('float32', x.shape[3]))], [like_x()]),
            g.constant('float32', [x.shape[3]], d.values('float32', x.shape[3]))], [like_x()], { activation: activation(d) }) : x,
        residual: () => {
            const alike = seen.filter(other => other !== x && other.shape.join() === x.shape.join());
            if (!alike.length) return layer(false);
            const y = float ? result(d, g, type, x.shape) : result(d, g, type, x.shape, { scale: Math.fround(x.scale * 1.7), zero: x.zero });
            return g.op(d.pick(['ADD', 'ADD', 'SUB', 'MUL'].slice(0, float ? 4 : 2)), d.shuffled([x, d.pick(alike)]), [y], { activation: activation(d) });
        },
        join: () => {
            const alike = seen.filter(other => other.shape.slice(0, 3).join() === x.shape.slice(0, 3).join());
            const parts = [x, d.pick(alike)], depth = parts[0].shape[3] + parts[1].shape[3];
            return depth > 40 || (!float && parts[1].scale !== x.scale) ? layer(false) : g.op('CONCATENATION', parts, [result(d, g, type, [...x.shape.slice(0, 3), depth], same_q(x))], { axis: d.pick([3, -1]) });
        },
        pool: () => {
            const [n, h, w, c] = x.shape, k = Math.min(h, w, d.int(2, 3));
            return g.op(d.pick(['MAX_POOL_2D', 'AVERAGE_POOL_2D']), [x], [result(d, g, type, [n, Math.ceil(h / 2), Math.ceil(w / 2), c], same_q(x))],
                { padding: 'same', stride_h: 2, stride_w: 2, filter_h: k, filter_w: k, activation: 'none' });
        },
        resize: () => {
            const [n, h, w, c] = x.shape, to = [Math.min(2 * h, 20), Math.min(2 * w, 20)];
            return g.op(d.pick(['RESIZE_BILINEAR', 'RESIZE_NEAREST_NEIGHBOR']), [x, indices(g, to)], [result(d, g, type, [n, ...to, c], same_q(x))], d.pick([{}, { align: true }, { half: true }]));
        },
        pad: () => g.op('PAD', [x, indices(g, [0, 0, 1, 0, 1, 2, 0, 0], 'int32', [4, 2])], [result(d, g, type, [x.shape[0], x.shape[1] + 1, x.shape[2] + 3, x.shape[3]], same_q(x))]),
        squeeze_and_excite: () => {
            if (!float) return layer(true);
            const mean = g.op('MEAN', [x, indices(g, [1, 2])], [result(d, g, type, [x.shape[0], 1, 1, x.shape[3]])], { keep: true });
            const [w, b] = layer_weights(d, g, type, [x.shape[3], 1, 1, x.shape[3]], x, 0, x.shape[3]);
            const gate = g.op('CONV_2D', [mean, w, b], [result(d, g, type, mean.shape)], { padding: 'valid', stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1 });
            return g.op('MUL', [x, g.op('LOGISTIC', [gate], [result(d, g, type, gate.shape)])], [like_x()]);
        },
    };
    for (let i = d.int(2, 9); i > 0; i--) {
        x = steps[d.pick(Object.keys(steps))]();
        seen.push(x);
    }
    const outputs = d.chance(0.2) && seen.at(-2) !== x && !g.inputs.includes(seen.at(-2)) ? [seen.at(-2)] : [];
    if (d.chance(0.5)) {
        const [n, , , c] = x.shape, units = d.int(2, 12);
        const mean = g.op('MEAN', [x, indices(g, [1, 2])], [result(d, g, type, [n, c], float ? {} : same_q(x))], { keep: false });
        const [w, b] = layer_weights(d, g, type, [units, c], mean, 0, units);
        x = g.op('FULLY_CONNECTED', [mean, w, b], [layer_result(d, g, type, [n, units], c)], { activation: 'none', keep_dims: false });
        if (float && d.chance(0.6)) x = g.op('SOFTMAX', [x], [result(d, g, type, x.shape)], { beta: 1 });
    }
    return g.inputs.includes(x) ? [g.op('RELU', [x], [like_x()])] : [...outputs, x];
}

/** A transformer's layer, its normalization written out. */
function attention(d, g) {
    const [batch, tokens, heads, size] = [d.int(1, 2), d.int(1, 9), d.int(1, 3), d.int(1, 5)], width = heads * size, float = shape => g.tensor('float32', shape);
    let x = operand(d, g, 'float32', [batch, tokens, width]);
    const dense = (from, units, activation = 'none') => {
        const [w, b] = layer_weights(d, g, 'float32', [units, from.shape.at(-1)], from, 0, units);
        return g.op('FULLY_CONNECTED', [from, w, d.chance(0.8) ? b : null], [float([...from.shape.slice(0, -1), units])], { activation, keep_dims: true });
    };
    const row = (value = []) => g.constant('float32', [width], value.length ? value : d.values('float32', width));
    const normalized = from => {
        const one = [...from.shape.slice(0, -1), 1], mean = y => g.op('MEAN', [y, indices(g, [-1])], [float(one)], { keep: true }), average = mean(from);
        const variance = mean(d.chance(0.5) ? g.op('SQUARED_DIFFERENCE', [from, average], [float(from.shape)])
            : g.op('SQUARE', [g.op('SUB', [from, average], [float(from.shape)])], [float(from.shape)]));
        const factor = g.op('RSQRT', [g.op('ADD', [variance, g.constant('float32', [], [1e-3])], [float(one)])], [float(one)]);
        const scaled = g.op('MUL', [g.op('SUB', [from, average], [float(from.shape)]), factor], [float(from.shape)]);
        return g.op('ADD', [g.op('MUL', [scaled, row()], [float(from.shape)]), row()], [float(from.shape)]);
    };
    const by_head = from => g.op('TRANSPOSE', [g.op('RESHAPE', [from, indices(g, [batch, tokens, heads, size])], [float([batch, tokens, heads, size])], { new_shape: Int32Array.of(batch, tokens, heads, size) }),
        indices(g, [0, 2, 1, 3])], [float([batch, heads, tokens, size])]);
    const before = d.chance(0.5) ? normalized(x) : x, [q, k, v] = [0, 1, 2].map(() => by_head(dense(before, width)));
    let scores = g.op('BATCH_MATMUL', [q, k], [float([batch, heads, tokens, tokens])], { adjoint_x: false, adjoint_y: true });
    scores = g.op('MUL', [scores, g.constant('float32', [], [1 / Math.sqrt(size)])], [float(scores.shape)]);
    if (d.chance(0.4)) scores = g.op('ADD', [scores, g.constant('float32', [1, 1, tokens, tokens], Array.from({ length: tokens * tokens }, (_, i) => i % tokens > Math.floor(i / tokens) ? -1e4 : 0))], [float(scores.shape)]);
    const weights = g.op('SOFTMAX', [scores], [float(scores.shape)], { beta: 1 });
    const mixed = g.op('BATCH_MATMUL', [weights, v], [float([batch, heads, tokens, size])], { adjoint_x: false, adjoint_y: false });
    const joined = g.op('RESHAPE', [g.op('TRANSPOSE', [mixed, indices(g, [0, 2, 1, 3])], [float([batch, tokens, heads, size])]), indices(g, [batch, tokens, width])],
        [float([batch, tokens, width])], { new_shape: Int32Array.of(batch, tokens, width) });
    x = g.op('ADD', [x, dense(joined, width)], [float(x.shape)]);
    const hidden = dense(d.chance(0.7) ? normalized(x) : x, 2 * width), bent = g.op(d.pick(['GELU', 'GELU', 'RELU', 'HARD_SWISH']), [hidden], [float(hidden.shape)], d.chance(0.5) ? { approximate: true } : {});
    x = g.op('ADD', [dense(bent, width), x], [float(x.shape)]);
    return size_of(x.shape) && d.chance(0.5) ? [normalized(x)] : [x];
}

export const networks = { NETWORK: network, ATTENTION: attention };
