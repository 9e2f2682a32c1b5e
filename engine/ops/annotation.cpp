// Annotations: marks for passes that compute nothing. Source: TVM 0.9, src/relay/op/annotation.
#include "engine/ops/families.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

OpRecord annotation(std::string name, std::string summary) {
    OpRecord op;
    op.example = "fn (%x: Tensor[(2, 3), float32]) { " + name + "(%x) }";
    op.name = std::move(name);
    op.summary = std::move(summary);
    op.inputs = {"data"};
    op.pattern = OpPattern::Opaque;
    op.relation = same_type_relation;
    op.kernel = copy_kernel;
    op.same_bytes = true;
    op.flops = [](const TypeTable&, std::span<const TypeId>, TypeId, const AttributesView&) { return 0.0; };
    return op;
}

/// Returns the operand: a mark does not change the value.
std::string same_element(const CElement& element) { return element.operands[0]; }

OpRecord compiler_mark(std::string name, std::string summary) {
    OpRecord op = annotation(std::move(name), std::move(summary));
    op.attributes = {required_field("compiler", AttributeKind::String, "the backend's name")};
    op.metadata_key = "relay.attrs.CompilerAttrs";
    op.example = "fn (%x: Tensor[(2, 3), float32]) { " + op.name + "(%x, compiler=\"dnnl\") }";
    return op;
}

OpRecord elementwise_mark(std::string name, std::string summary) {
    OpRecord op = annotation(std::move(name), std::move(summary));
    op.c_element = same_element;
    return op;
}

OpRecord cast_hint() {
    OpRecord op = elementwise_mark("annotation.cast_hint", "Marks a value that quantization may cast to a data type.");
    op.attributes = {required_field("dtype", AttributeKind::DType, "the type that the value would be cast to")};
    op.example = "fn (%x: Tensor[(2, 3), float32]) { annotation.cast_hint(%x, dtype=\"int8\") }";
    return op;
}

}  // namespace

std::vector<OpRecord> annotation_ops() {
    return {
        compiler_mark("annotation.compiler_begin", "Begins a region for a backend: stands before an operand."),
        compiler_mark("annotation.compiler_end", "Ends a region of a backend: stands after a result."),
        elementwise_mark("annotation.stop_fusion", "Keeps an expression from being fused with what follows it."),
        cast_hint(),
        elementwise_mark("annotation.bitpack_start", "Marks where bit packing begins."),
        elementwise_mark("annotation.bitpack_end", "Marks where bit packing ends."),
        elementwise_mark("annotation.checkpoint", "Marks a value that is computed again rather than kept."),
    };
}

}  // namespace partita
