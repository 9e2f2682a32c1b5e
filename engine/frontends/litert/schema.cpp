// The names, places and defaults of what a `.tflite` file holds (schema of LiteRT f674577), as tables.
#include "engine/frontends/litert/schema.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace partita::litert {

namespace {

/// A table of options by its number in the union. Its fields stand in the order of their numbers: name, type, and the
/// default where that is not 0; "-" is a field that is out of use.
struct OptionsTable {
    int number;
    std::string_view name, fields;
};

// clang-format off
constexpr OptionsTable kOptions[] = {
    {1, "Conv2D", 
     "padding:Padding stride_w:int stride_h:int fused_activation_function:ActivationFunctionType "
     "dilation_w_factor:int=1 dilation_h_factor:int=1 quantized_bias_type:TensorType"},
    {2, "DepthwiseConv2D", 
     "padding:Padding stride_w:int stride_h:int depth_multiplier:int "
     "fused_activation_function:ActivationFunctionType dilation_w_factor:int=1 dilation_h_factor:int=1"},
    {3, "ConcatEmbeddings", "num_channels:int num_columns_per_channel:[int] embedding_dim_per_channel:[int]"},
    {4, "LSHProjection", "type:LSHProjectionType"},
    {5, "Pool2D", 
     "padding:Padding stride_w:int stride_h:int filter_width:int filter_height:int "
     "fused_activation_function:ActivationFunctionType"},
    {6, "SVDF", "rank:int fused_activation_function:ActivationFunctionType asymmetric_quantize_inputs:bool"},
    {7, "RNN", "fused_activation_function:ActivationFunctionType asymmetric_quantize_inputs:bool"},
    {8, "FullyConnected", 
     "fused_activation_function:ActivationFunctionType weights_format:FullyConnectedOptionsWeightsFormat "
     "keep_num_dims:bool asymmetric_quantize_inputs:bool quantized_bias_type:TensorType"},
    {9, "Softmax", "beta:float"},
    {10, "Concatenation", "axis:int fused_activation_function:ActivationFunctionType"},
    {11, "Add", "fused_activation_function:ActivationFunctionType pot_scale_int16:bool=1"},
    {12, "L2Norm", "fused_activation_function:ActivationFunctionType"},
    {13, "LocalResponseNormalization", "radius:int bias:float alpha:float beta:float"},
    {14, "LSTM", 
     "fused_activation_function:ActivationFunctionType cell_clip:float proj_clip:float "
     "kernel_type:LSTMKernelType asymmetric_quantize_inputs:bool"},
    {15, "ResizeBilinear", "- - align_corners:bool half_pixel_centers:bool"},
    {16, "Call", "subgraph:uint"},
    {17, "Reshape", "new_shape:[int]"},
    {18, "SkipGram", "ngram_size:int max_skip_size:int include_all_ngrams:bool"},
    {19, "SpaceToDepth", "block_size:int"},
    {20, "EmbeddingLookupSparse", "combiner:CombinerType"},
    {21, "Mul", "fused_activation_function:ActivationFunctionType"},
    {23, "Gather", "axis:int batch_dims:int"},
    {27, "Reducer", "keep_dims:bool"},
    {28, "Sub", "fused_activation_function:ActivationFunctionType pot_scale_int16:bool=1"},
    {29, "Div", "fused_activation_function:ActivationFunctionType"},
    {30, "Squeeze", "squeeze_dims:[int]"},
    {31, "SequenceRNN", 
     "time_major:bool fused_activation_function:ActivationFunctionType asymmetric_quantize_inputs:bool"},
    {32, "StridedSlice", 
     "begin_mask:int end_mask:int ellipsis_mask:int new_axis_mask:int shrink_axis_mask:int offset:bool"},
    {35, "Split", "num_splits:int"},
    {37, "Cast", "in_data_type:TensorType out_data_type:TensorType"},
    {40, "ArgMax", "output_type:TensorType"},
    {49, "TransposeConv", 
     "padding:Padding stride_w:int stride_h:int fused_activation_function:ActivationFunctionType "
     "quantized_bias_type:TensorType"},
    {50, "SparseToDense", "validate_indices:bool"},
    {55, "Shape", "out_type:TensorType"},
    {57, "ArgMin", "output_type:TensorType"},
    {58, "FakeQuant", "min:float max:float num_bits:int narrow_range:bool"},
    {59, "Pack", "values_count:int axis:int"},
    {61, "OneHot", "axis:int"},
    {64, "Unpack", "num:int axis:int"},
    {69, "BidirectionalSequenceLSTM", 
     "fused_activation_function:ActivationFunctionType cell_clip:float proj_clip:float merge_outputs:bool "
     "time_major:bool=1 asymmetric_quantize_inputs:bool"},
    {70, "BidirectionalSequenceRNN", 
     "time_major:bool fused_activation_function:ActivationFunctionType merge_outputs:bool "
     "asymmetric_quantize_inputs:bool"},
    {71, "UnidirectionalSequenceLSTM", 
     "fused_activation_function:ActivationFunctionType cell_clip:float proj_clip:float time_major:bool "
     "asymmetric_quantize_inputs:bool diagonal_recurrent_tensors:bool"},
    {74, "ResizeNearestNeighbor", "align_corners:bool half_pixel_centers:bool"},
    {75, "LeakyRelu", "alpha:float"},
    {77, "MirrorPad", "mode:MirrorPadMode"},
    {79, "SplitV", "num_splits:int"},
    {80, "Unique", "idx_out_type:TensorType=2"},
    {87, "ReverseSequence", "seq_dim:int batch_dim:int"},
    {92, "If", "then_subgraph_index:int else_subgraph_index:int"},
    {93, "While", "cond_subgraph_index:int body_subgraph_index:int"},
    {94, "DepthToSpace", "block_size:int"},
    {101, "BatchMatMul", "adj_x:bool adj_y:bool asymmetric_quantize_inputs:bool"},
    {102, "Cumsum", "exclusive:bool reverse:bool"},
    {103, "CallOnce", "init_subgraph_index:int"},
    {106, "Conv3D", 
     "padding:Padding stride_d:int stride_w:int stride_h:int "
     "fused_activation_function:ActivationFunctionType dilation_d_factor:int=1 dilation_w_factor:int=1 "
     "dilation_h_factor:int=1"},
    {107, "Hashtable", "table_id:int key_dtype:TensorType value_dtype:TensorType"},
    {111, "VarHandle", "container:string shared_name:string"},
    {114, "Random", "seed:long seed2:long"},
    {115, "Bucketize", "boundaries:[float]"},
    {116, "Gelu", "approximate:bool"},
};
constexpr OptionsTable kOptions2[] = {
    {1, "StablehloConcatenate", "dimension:long"},
    {2, "StablehloBroadcastInDim", "broadcast_dimensions:[long]"},
    {3, "StablehloSlice", "start_indices:[long] limit_indices:[long] strides:[long]"},
    {4, "StablehloConvolution", 
     "window_strides:[long] padding:[long] lhs_dilation:[long] rhs_dilation:[long] window_reversal:[bool] "
     "input_batch_dimension:long input_feature_dimension:long input_spatial_dimensions:[long] "
     "kernel_input_feature_dimension:long kernel_output_feature_dimension:long "
     "kernel_spatial_dimensions:[long] output_batch_dimension:long output_feature_dimension:long "
     "output_spatial_dimensions:[long] feature_group_count:long batch_group_count:long "
     "precision_config:[StablehloPrecisionConfig]"},
    {5, "StablehloCustomCall", 
     "call_target_name:string has_side_effect:bool backend_config:string api_version:int "
     "called_computations:[int] custom_attributes:[ubyte]"},
    {6, "StablehloReduce", "dimensions:[long] body_subgraph_index:int"},
    {7, "StablehloScatter", 
     "indices_are_sorted:bool update_window_dims:[long] inserted_window_dims:[long] "
     "scatter_dims_to_operand_dims:[long] index_vector_dim:long unique_indices:bool "
     "update_computation_subgraph_index:int"},
    {8, "StablehloCompare", "comparison_direction:StablehloComparisonDirection compare_type:StablehloComparisonType"},
    {9, "StablehloDynamicSlice", "slice_sizes:[long]"},
    {10, "StablehloPad", "edge_padding_low:[long] edge_padding_high:[long] interior_padding:[long]"},
    {11, "StablehloIota", "iota_dimension:long"},
    {12, "StablehloDotGeneral", 
     "lhs_batching_dimensions:[long] rhs_batching_dimensions:[long] lhs_contracting_dimensions:[long] "
     "rhs_contracting_dimensions:[long] precision_config:[StablehloPrecisionConfig]"},
    {13, "StablehloReduceWindow", 
     "window_dimensions:[long] window_strides:[long] base_dilations:[long] window_dilations:[long] "
     "padding:[long] body_subgraph_index:int"},
    {14, "StablehloSort", "dimension:long is_stable:bool comparator_subgraph_index:int"},
    {15, "StablehloWhile", "cond_subgraph_index:int body_subgraph_index:int"},
    {16, "StablehloGather", 
     "offset_dims:[long] collapsed_slice_dims:[long] start_index_map:[long] index_vector_dim:long "
     "slice_sizes:[long] indices_are_sorted:bool"},
    {17, "StablehloTranspose", "permutation:[long]"},
    {19, "StablehloRngBitGenerator", "algorithm:RngAlgorithm"},
    {20, "ReduceWindow", "reduce_function:ReduceWindowFunction"},
    {21, "StableHLOComposite", 
     "name:string decomposition_subgraph_index:int32 composite_attributes:[ubyte] "
     "composite_attributes_format:CustomOptionsFormat version:int32"},
    {23, "StablehloCase", "branch_subgraph_indices:[int]"},
};

struct Enumeration {
    std::string_view name;
    int bytes;
    std::string_view names;  ///< by number; "-" for none
};

constexpr Enumeration kEnumerations[] = {
    {"StablehloPrecisionConfig", 4, "DEFAULT HIGH HIGHEST"},
    {"StablehloComparisonDirection", 4, "EQ NE GE GT LE LT"},
    {"StablehloComparisonType", 4, "NOTYPE FLOAT FLOAT_TOTAL_ORDER SIGNED UNSIGNED"},
    {"RngAlgorithm", 1, "DEFAULT PHILOX THREEFRY"},
    {"Padding", 1, "SAME VALID"},
    {"ActivationFunctionType", 1, "NONE RELU RELU_N1_TO_1 RELU6 TANH SIGN_BIT"},
    {"LSHProjectionType", 1, "UNKNOWN SPARSE DENSE"},
    {"FullyConnectedOptionsWeightsFormat", 1, "DEFAULT SHUFFLED4x16INT8"},
    {"LSTMKernelType", 1, "FULL BASIC"},
    {"CombinerType", 1, "SUM MEAN SQRTN"},
    {"MirrorPadMode", 1, "REFLECT SYMMETRIC"},
    {"ReduceWindowFunction", 4, "UNSUPPORTED ADD MUL MINIMUM MAXIMUM ALL ANY"},
};

/// By number.
constexpr std::string_view kOperators =
    "ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE EMBEDDING_LOOKUP "
    "FLOOR FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D LOCAL_RESPONSE_NORMALIZATION LOGISTIC "
    "LSH_PROJECTION LSTM MAX_POOL_2D MUL RELU RELU_N1_TO_1 RELU6 RESHAPE RESIZE_BILINEAR RNN SOFTMAX "
    "SPACE_TO_DEPTH SVDF TANH CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM EMBEDDING_LOOKUP_SPARSE PAD "
    "UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND TRANSPOSE MEAN SUB DIV SQUEEZE "
    "UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE BIDIRECTIONAL_SEQUENCE_RNN EXP TOPK_V2 SPLIT LOG_SOFTMAX "
    "DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM ARG_MAX MINIMUM LESS NEG PADV2 GREATER "
    "GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN TRANSPOSE_CONV SPARSE_TO_DENSE TILE EXPAND_DIMS EQUAL "
    "NOT_EQUAL LOG SUM SQRT RSQRT SHAPE POW ARG_MIN FAKE_QUANT REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR ONE_HOT "
    "LOGICAL_AND LOGICAL_NOT UNPACK REDUCE_MIN FLOOR_DIV REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD RANGE "
    "RESIZE_NEAREST_NEIGHBOR LEAKY_RELU SQUARED_DIFFERENCE MIRROR_PAD ABS SPLIT_V UNIQUE CEIL REVERSE_V2 "
    "ADD_N GATHER_ND COS WHERE RANK ELU REVERSE_SEQUENCE MATRIX_DIAG QUANTIZE MATRIX_SET_DIAG ROUND "
    "HARD_SWISH IF WHILE NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 SCATTER_ND SELECT_V2 DENSIFY "
    "SEGMENT_SUM BATCH_MATMUL PLACEHOLDER_FOR_GREATER_OP_CODES CUMSUM CALL_ONCE BROADCAST_TO RFFT2D CONV_3D "
    "IMAG REAL COMPLEX_ABS HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE REDUCE_ALL "
    "CONV_3D_TRANSPOSE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS RANDOM_STANDARD_NORMAL "
    "BUCKETIZE RANDOM_UNIFORM MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE RELU_0_TO_1 UNSORTED_SEGMENT_PROD "
    "UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_SUM ATAN2 UNSORTED_SEGMENT_MIN SIGN BITCAST BITWISE_XOR "
    "RIGHT_SHIFT STABLEHLO_LOGISTIC STABLEHLO_ADD STABLEHLO_DIVIDE STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM "
    "STABLEHLO_RESHAPE STABLEHLO_CLAMP STABLEHLO_CONCATENATE STABLEHLO_BROADCAST_IN_DIM STABLEHLO_CONVOLUTION "
    "STABLEHLO_SLICE STABLEHLO_CUSTOM_CALL STABLEHLO_REDUCE STABLEHLO_ABS STABLEHLO_AND STABLEHLO_COSINE "
    "STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG STABLEHLO_MINIMUM STABLEHLO_NEGATE STABLEHLO_OR "
    "STABLEHLO_POWER STABLEHLO_REMAINDER STABLEHLO_RSQRT STABLEHLO_SELECT STABLEHLO_SUBTRACT STABLEHLO_TANH "
    "STABLEHLO_SCATTER STABLEHLO_COMPARE STABLEHLO_CONVERT STABLEHLO_DYNAMIC_SLICE "
    "STABLEHLO_DYNAMIC_UPDATE_SLICE STABLEHLO_PAD STABLEHLO_IOTA STABLEHLO_DOT_GENERAL "
    "STABLEHLO_REDUCE_WINDOW STABLEHLO_SORT STABLEHLO_WHILE STABLEHLO_GATHER STABLEHLO_TRANSPOSE DILATE "
    "STABLEHLO_RNG_BIT_GENERATOR REDUCE_WINDOW STABLEHLO_COMPOSITE STABLEHLO_SHIFT_LEFT STABLEHLO_CBRT "
    "STABLEHLO_CASE";
// clang-format on

struct ElementType {
    std::string_view name;
    DataType dtype;
};

/// By TensorType. Those without a DataType are no numbers, or numbers that Partita lacks.
constexpr std::array<ElementType, 23> kTypes = {{
    {"float32", kFloat32},
    {"float16", kFloat16},
    {"int32", kInt32},
    {"uint8", kUInt8},
    {"int64", kInt64},
    {"string", kVoid},
    {"bool", kBool},
    {"int16", kInt16},
    {"complex64", kVoid},
    {"int8", kInt8},
    {"float64", kFloat64},
    {"complex128", kVoid},
    {"uint64", kUInt64},
    {"resource", kVoid},
    {"variant", kVoid},
    {"uint32", kUInt32},
    {"uint16", kUInt16},
    {"int4", kInt4},
    {"bfloat16", kBFloat16},
    {"int2", kInt2},
    {"uint4", kUInt4},
    {"float8_e4m3fn", kFloat8E4M3FN},
    {"float8_e5m2", kFloat8E5M2},
}};

/// Returns a word of a list, "" if there is none.
std::string_view word_or_dash(std::string_view words, int64_t index) {
    for (; index > 0 && !words.empty(); --index) {
        const size_t space = words.find(' ');
        words = space == std::string_view::npos ? std::string_view() : words.substr(space + 1);
    }
    return index < 0 ? std::string_view() : words.substr(0, words.find(' '));
}

std::string_view word(std::string_view words, int64_t index) {
    const std::string_view found = word_or_dash(words, index);
    return found == "-" ? std::string_view() : found;
}

template <class T>
std::vector<int64_t> widened(const flat::Table& table, int field) {
    const std::vector<T> numbers = table.vector(field, sizeof(T)).numbers<T>();
    return {numbers.begin(), numbers.end()};
}

/// Reads fields of one table.
class FieldReader {
public:
    explicit FieldReader(const flat::Table& table) : table_(table) {}

    Option read(int field, std::string_view name, std::string_view type, int64_t fallback) const {
        Option option{std::string(name), type, {}, {}, {}};
        if (type == "float") option.reals = {table_.number<float>(field, float(fallback))};
        else if (type == "[float]")
            for (float real : table_.vector(field, 4).numbers<float>()) option.reals.push_back(real);
        else if (type == "string") option.texts = {std::string(table_.text(field).substr(0, kLongest))};
        else if (type.starts_with('[')) option.integers = list(field, type.substr(1, type.size() - 2));
        else option.integers = {scalar(field, type, fallback)};
        if (const Enumeration* known = enumeration(type))
            for (int64_t value : option.integers) {
                const std::string_view word_of = word(known->names, value);
                option.texts.push_back(word_of.empty() ? std::to_string(value) : std::string(word_of));
            }
        if (type == "TensorType") option.texts = {std::string(type_name(int(option.integers[0])))};
        return option;
    }

private:
    static constexpr size_t kLongest = 1000;

    static const Enumeration* enumeration(std::string_view type) {
        for (const Enumeration& each : kEnumerations)
            if (each.name == type) return &each;
        return nullptr;
    }

    int64_t scalar(int field, std::string_view type, int64_t fallback) const {
        if (type == "long") return table_.number<int64_t>(field, fallback);
        if (type == "uint") return table_.number<uint32_t>(field, uint32_t(fallback));
        const Enumeration* known = enumeration(type);
        if (type == "int" || type == "int32" || (known && known->bytes == 4))
            return table_.number<int32_t>(field, int32_t(fallback));
        return table_.number<int8_t>(field, int8_t(fallback));
    }

    std::vector<int64_t> list(int field, std::string_view element) const {
        if (element == "long") return widened<int64_t>(table_, field);
        if (element == "bool" || element == "ubyte") return widened<uint8_t>(table_, field);
        return widened<int32_t>(table_, field);
    }

    const flat::Table& table_;
};

}  // namespace

std::string_view operator_name(int64_t code) { return word(kOperators, code); }

std::string_view type_name(int type) {
    return type >= 0 && size_t(type) < kTypes.size() ? kTypes[size_t(type)].name : "unknown";
}

DataType data_type(int type) { return type >= 0 && size_t(type) < kTypes.size() ? kTypes[size_t(type)].dtype : kVoid; }

Options read_options(const flat::Table& table, int number, bool second) {
    Options options;
    options.given = bool(table);
    const std::span<const OptionsTable> all =
        second ? std::span<const OptionsTable>(kOptions2) : std::span<const OptionsTable>(kOptions);
    for (const OptionsTable& known : all) {
        if (known.number != number || !table) continue;
        options.name = known.name;
        int field = 0;
        for (std::string_view each; !(each = word_or_dash(known.fields, field)).empty(); ++field) {
            const size_t colon = each.find(':'), equals = each.find('=');
            if (colon == std::string_view::npos) continue;
            const std::string_view type = each.substr(colon + 1, equals - colon - 1);
            int64_t fallback = 0;
            if (equals != std::string_view::npos)
                std::from_chars(each.data() + equals + 1, each.data() + each.size(), fallback);
            options.list.push_back(FieldReader(table).read(field, each.substr(0, colon), type, fallback));
        }
    }
    return options;
}

}  // namespace partita::litert
