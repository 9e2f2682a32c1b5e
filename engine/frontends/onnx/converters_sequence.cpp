// Sequences of known length, represented as tuples.
#include <algorithm>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

Exprs elements_of(NodeContext& n, ExprId sequence) {
    Module& module = n.build.module();
    TypeId type = module.type(sequence);
    if (!n.build.types().is_tuple(type)) throw Fault{"a sequence is needed", {}};
    Exprs elements;
    for (uint32_t i = 0; i < n.build.types().parts(type).size(); ++i)
        elements.push_back(n.build.projection(sequence, i));
    return elements;
}

/// Returns the position in a sequence that input `index` names; `otherwise` if it is omitted.
size_t position(NodeContext& n, size_t index, size_t length, int64_t otherwise, bool may_be_end) {
    int64_t at = otherwise;
    if (n.has(index)) at = n.known_integer(index);
    if (at < 0) at += int64_t(length);
    if (at < 0 || at > int64_t(length) - (may_be_end ? 0 : 1)) throw Fault{"the position is outside the sequence", {}};
    return size_t(at);
}

Exprs construct(NodeContext& n) {
    Exprs elements;
    for (size_t i = 0; i < n.input_count(); ++i) elements.push_back(n.input(i));
    return {n.build.tuple(elements)};
}

Exprs empty(NodeContext& n) { return {n.build.tuple(Exprs())}; }

Exprs at(NodeContext& n) {
    Exprs elements = elements_of(n, n.input(0));
    return {elements[position(n, 1, elements.size(), 0, false)]};
}

Exprs erase(NodeContext& n) {
    Exprs elements = elements_of(n, n.input(0));
    elements.erase(elements.begin() + int64_t(position(n, 1, elements.size(), -1, false)));
    return {n.build.tuple(elements)};
}

Exprs insert(NodeContext& n) {
    Exprs elements = elements_of(n, n.input(0));
    size_t where = position(n, 2, elements.size(), int64_t(elements.size()), true);
    elements.insert(elements.begin() + int64_t(where), n.input(1));
    return {n.build.tuple(elements)};
}

Exprs length(NodeContext& n) { return {n.build.constant(int64_t(elements_of(n, n.input(0)).size()), kInt64)}; }

Exprs concatenate(NodeContext& n) {
    Exprs elements = elements_of(n, n.input(0));
    if (elements.empty()) throw Fault{"the sequence is empty", {}};
    bool new_axis = n.integer("new_axis", 0);
    int64_t rank = n.build.rank(elements[0]) + (new_axis ? 1 : 0), axis = n.axis(n.integer("axis", 0), rank);
    for (ExprId& element : elements) {
        if (!new_axis) break;
        Integers shape = n.build.static_shape(element);
        shape.insert(shape.begin() + axis, 1);
        element = n.build.reshape(element, shape);
    }
    return {n.build.concatenate(elements, axis)};
}

Exprs split_to_sequence(NodeContext& n) {
    ExprId x = n.input(0);
    Integers shape = n.build.static_shape(x), sizes;
    int64_t axis = n.axis(n.integer("axis", 0), int64_t(shape.size())), extent = shape[size_t(axis)];
    bool keep = n.has(1) || n.integer("keepdims", 1);
    if (!n.has(1)) sizes.assign(size_t(extent), 1);
    else if (n.known(1).rank() == 1) sizes = n.known_integers(1);
    else {
        int64_t size = n.known_integer(1);
        if (size < 1) throw Fault{"the parts' size must be positive", {}};
        for (int64_t begin = 0; begin < extent; begin += size) sizes.push_back(std::min(size, extent - begin));
    }
    Exprs parts;
    int64_t begin = 0;
    for (int64_t size : sizes) {
        if (size < 0 || size > extent - begin) throw Fault{"the parts do not fit the axis", {}};
        ExprId part = n.build.slice(x, axis, begin, begin + size);
        begin += size;
        if (!keep) {
            Integers squeezed = shape;
            squeezed.erase(squeezed.begin() + axis);
            part = n.build.reshape(part, squeezed);
        }
        parts.push_back(part);
    }
    if (begin != extent) throw Fault{"the parts do not fill the axis", {}};
    return {n.build.tuple(parts)};
}

/// Applies the body to each element of the first sequence, with the corresponding elements of other sequences and whole
/// tensors.
Exprs map(NodeContext& n) {
    const Graph& body = n.graph("body");
    size_t turns = elements_of(n, n.input(0)).size();
    std::vector<Exprs> columns(body.outputs.size());
    for (size_t turn = 0; turn < turns; ++turn) {
        Exprs arguments;
        for (size_t i = 0; i < n.input_count(); ++i) {
            bool sequence = n.build.types().is_tuple(n.build.module().type(n.input(i)));
            Exprs elements = sequence ? elements_of(n, n.input(i)) : Exprs();
            if (sequence && elements.size() != turns) throw Fault{"the sequences differ in length", {}};
            arguments.push_back(sequence ? elements[turn] : n.input(i));
        }
        Exprs results = n.convert(body, arguments);
        for (size_t i = 0; i < columns.size(); ++i) columns[i].push_back(results[i]);
    }
    Exprs outputs;
    for (const Exprs& column : columns) outputs.push_back(n.build.tuple(column));
    return outputs;
}

const ConverterEntry kSequenceConverters[] = {
    {"ConcatFromSequence", concatenate},
    {"SequenceAt", at},
    {"SequenceConstruct", construct},
    {"SequenceEmpty", empty},
    {"SequenceErase", erase},
    {"SequenceInsert", insert},
    {"SequenceLength", length},
    {"SequenceMap", map},
    {"SplitToSequence", split_to_sequence},
};

}  // namespace

std::span<const ConverterEntry> sequence_converters() { return kSequenceConverters; }

}  // namespace partita::onnx
