// A LiteRT graph of one or a few operators, and the numbers of the format that it needs (TensorFlow Lite's schema, version 3).
import { f32, file, flag, i8, i32, numbers, table, text, u32, vector } from './flat_file.mjs';

export const type_numbers = { float32: 0, float16: 1, int32: 2, uint8: 3, int64: 4, bool: 6, int16: 7, int8: 9, int4: 17 };
export const arrays = {
    float32: Float32Array, int32: Int32Array, uint8: Uint8Array, int64: BigInt64Array, bool: Uint8Array, int16: Int16Array, int8: Int8Array,
};
export const activations = { none: 0, relu: 1, relu_n1_to_1: 2, relu6: 3 };
export const size_of = shape => shape.reduce((a, b) => a * b, 1);

/** name: [builtin code, number of its options in the union BuiltinOptions, options in the order of their ids] */
const operators = {
    ADD: [0, 11, ['activation']], AVERAGE_POOL_2D: [1, 5, ['padding', 'stride_w', 'stride_h', 'filter_w', 'filter_h', 'activation']],
    CONCATENATION: [2, 10, ['axis', 'activation']],
    CONV_2D: [3, 1, ['padding', 'stride_w', 'stride_h', 'activation', 'dilation_w', 'dilation_h']],
    DEPTHWISE_CONV_2D: [4, 2, ['padding', 'stride_w', 'stride_h', 'multiplier', 'activation', 'dilation_w', 'dilation_h']],
    DEPTH_TO_SPACE: [5, 94, ['block']], DEQUANTIZE: [6, 38, []], EMBEDDING_LOOKUP: [7, 0, []], FLOOR: [8, 0, []],
    FULLY_CONNECTED: [9, 8, ['activation', 'format', 'keep_dims']], L2_NORMALIZATION: [11, 12, ['activation']],
    L2_POOL_2D: [12, 5, ['padding', 'stride_w', 'stride_h', 'filter_w', 'filter_h', 'activation']],
    LOCAL_RESPONSE_NORMALIZATION: [13, 13, ['radius', 'bias', 'alpha', 'beta']], LOGISTIC: [14, 0, []],
    MAX_POOL_2D: [17, 5, ['padding', 'stride_w', 'stride_h', 'filter_w', 'filter_h', 'activation']], MUL: [18, 21, ['activation']],
    RELU: [19, 0, []], RELU_N1_TO_1: [20, 0, []], RELU6: [21, 0, []], RESHAPE: [22, 17, ['new_shape']],
    RESIZE_BILINEAR: [23, 15, [null, null, 'align', 'half']], SOFTMAX: [25, 9, ['beta']], SPACE_TO_DEPTH: [26, 19, ['block']], TANH: [28, 0, []],
    PAD: [34, 22, []], GATHER: [36, 23, ['axis', 'batch']], BATCH_TO_SPACE_ND: [37, 24, []], SPACE_TO_BATCH_ND: [38, 25, []],
    TRANSPOSE: [39, 26, []], MEAN: [40, 27, ['keep']], SUB: [41, 28, ['activation']], DIV: [42, 29, ['activation']],
    SQUEEZE: [43, 30, ['axes']], STRIDED_SLICE: [45, 32, ['begin', 'end', 'ellipsis', 'new_axis', 'shrink', 'offset']], EXP: [47, 33, []],
    TOPK_V2: [48, 34, []], SPLIT: [49, 35, ['parts']], LOG_SOFTMAX: [50, 36, []], CAST: [53, 37, ['from', 'to']], PRELU: [54, 0, []],
    MAXIMUM: [55, 39, []], ARG_MAX: [56, 40, ['to']], MINIMUM: [57, 39, []], LESS: [58, 41, []], NEG: [59, 42, []], PADV2: [60, 43, []],
    GREATER: [61, 44, []], GREATER_EQUAL: [62, 45, []], LESS_EQUAL: [63, 46, []], SELECT: [64, 47, []], SLICE: [65, 48, []], SIN: [66, 0, []],
    TRANSPOSE_CONV: [67, 49, ['padding', 'stride_w', 'stride_h', 'activation']], TILE: [69, 51, []], EXPAND_DIMS: [70, 52, []],
    EQUAL: [71, 53, []], NOT_EQUAL: [72, 54, []], LOG: [73, 0, []], SUM: [74, 27, ['keep']], SQRT: [75, 0, []], RSQRT: [76, 0, []],
    SHAPE: [77, 55, ['to']], POW: [78, 56, []], ARG_MIN: [79, 57, ['to']], REDUCE_PROD: [81, 27, ['keep']], REDUCE_MAX: [82, 27, ['keep']],
    PACK: [83, 59, ['count', 'axis']], LOGICAL_OR: [84, 60, []], ONE_HOT: [85, 61, ['axis']], LOGICAL_AND: [86, 62, []],
    LOGICAL_NOT: [87, 63, []], UNPACK: [88, 64, ['count', 'axis']], REDUCE_MIN: [89, 27, ['keep']], FLOOR_DIV: [90, 65, []],
    REDUCE_ANY: [91, 27, ['keep']], SQUARE: [92, 66, []], ZEROS_LIKE: [93, 67, []], FILL: [94, 68, []], FLOOR_MOD: [95, 72, []],
    RANGE: [96, 73, []], RESIZE_NEAREST_NEIGHBOR: [97, 74, ['align', 'half']], LEAKY_RELU: [98, 75, ['alpha']],
    SQUARED_DIFFERENCE: [99, 76, []], MIRROR_PAD: [100, 77, ['mode']], ABS: [101, 78, []], SPLIT_V: [102, 79, ['parts']], CEIL: [104, 0, []],
    REVERSE_V2: [105, 81, []], ADD_N: [106, 82, []], GATHER_ND: [107, 83, []], COS: [108, 84, []], RANK: [110, 86, []], ELU: [111, 0, []],
    REVERSE_SEQUENCE: [112, 87, ['seq_dim', 'batch_dim']], QUANTIZE: [114, 89, []], ROUND: [116, 0, []], HARD_SWISH: [117, 91, []],
    SCATTER_ND: [122, 97, []], SELECT_V2: [123, 98, []], BATCH_MATMUL: [126, 101, ['adjoint_x', 'adjoint_y']],
    CUMSUM: [128, 102, ['exclusive', 'reverse']], BROADCAST_TO: [130, 104, []],
    CONV_3D: [132, 106, ['padding', 'stride_d', 'stride_w', 'stride_h', 'activation', 'dilation_d', 'dilation_w', 'dilation_h']],
    REDUCE_ALL: [140, 27, ['keep']], GELU: [150, 116, ['approximate']], DYNAMIC_UPDATE_SLICE: [151, 117, []], RELU_0_TO_1: [152, 0, []],
    SIGN: [158, 123, []], BITWISE_XOR: [160, 125, []], RIGHT_SHIFT: [161, 126, []], ATAN2: [156, 122, []],
};

/** Of which type an option is; all others are 32-bit integers. */
const option_values = {
    activation: name => i8(activations[name]), padding: name => i8(name === 'same' ? 0 : 1), format: i8, mode: i8, from: i8, to: i8,
    keep_dims: flag, align: flag, half: flag, keep: flag, offset: flag, adjoint_x: flag, adjoint_y: flag, exclusive: flag, reverse: flag, approximate: flag,
    bias: f32, alpha: f32, beta: f32, new_shape: numbers, axes: numbers,
};

export class Graph {
    constructor() { this.tensors = []; this.buffers = [table({})]; this.ops = []; this.inputs = []; this.outputs = []; this.codes = []; }

    /** @param more {data: typed array, scale, zero, axis}; returns the tensor: {index, type, shape, scale, zero} */
    tensor(type, shape, more = {}) {
        const tensor = { index: this.tensors.length, type, shape, ...more };
        this.tensors.push(tensor);
        return tensor;
    }
    input(type, shape, more) {
        const tensor = this.tensor(type, shape, more);
        this.inputs.push(tensor);
        return tensor;
    }
    /** Numbers of 16 bits, by their bits. */
    half_constant(shape, bits) { return this.tensor('float16', shape, { data: Uint16Array.from(bits) }); }
    /** Numbers from -8 to 7, two in a byte, the first in its low half. */
    nibble_constant(shape, values, more) {
        const bytes = new Uint8Array(Math.ceil(values.length / 2));
        values.forEach((value, i) => { bytes[i >> 1] |= (value & 15) << (i % 2 ? 4 : 0); });
        return this.tensor('int4', shape, { ...more, data: bytes });
    }
    constant(type, shape, data, more) { return this.tensor(type, shape, { ...more, data: arrays[type].from(data, type === 'int64' ? BigInt : undefined) }); }
    op(name, inputs, outputs, options = {}) {
        this.ops.push({ name, inputs, outputs, options });
        return outputs[0];
    }

    file() {
        const codes = [...new Set(this.ops.map(op => op.name))], buffers = [table({})];
        const tensors = this.tensors.map(tensor => {
            const scales = tensor.scale === undefined ? null : [].concat(tensor.scale), zeros = scales && [].concat(tensor.zero ?? 0);
            if (tensor.data) buffers.push(table({ 0: tensor.data.length ? numbers(new Uint8Array(tensor.data.buffer)) : null }));
            return table({
                0: numbers(Int32Array.from(tensor.shape)), 1: i8(type_numbers[tensor.type]), 2: u32(tensor.data ? buffers.length - 1 : 0),
                3: text(`t${tensor.index}`),
                4: scales && table({
                    2: numbers(Float32Array.from(scales)), 3: numbers(BigInt64Array.from(zeros, BigInt)), 6: i32(tensor.axis ?? 0),
                }),
            });
        });
        const ops = this.ops.map(op => {
            const [, union, names] = operators[op.name];
            const options = {};
            names.forEach((name, id) => {
                if (name !== null && op.options[name] !== undefined) options[id] = (option_values[name] ?? i32)(op.options[name]);
            });
            return table({
                0: u32(codes.indexOf(op.name)), 1: numbers(Int32Array.from(op.inputs, t => t ? t.index : -1)),
                2: numbers(Int32Array.from(op.outputs, t => t.index)), 3: union ? i8(union) : null, 4: union ? table(options) : null,
            });
        });
        const indices = list => numbers(Int32Array.from(list, t => t.index));
        const subgraph = table({ 0: vector(tensors), 1: indices(this.inputs), 2: indices(this.outputs), 3: vector(ops), 4: text('main') });
        const code = name => table({ 0: i8(Math.min(operators[name][0], 127)), 2: i32(name === 'BROADCAST_TO' ? 2 : 1), 3: i32(operators[name][0]) });
        return file('TFL3', table({ 0: u32(3), 1: vector(codes.map(code)), 2: vector([subgraph]), 4: vector(buffers) }));
    }
}
