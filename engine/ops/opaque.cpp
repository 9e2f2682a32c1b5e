// `opaque`: what all operators of other programs have in common, see foreign.h; and how one is written in Relay text.
#include "engine/ops/families.h"
#include "engine/ops/schema.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

Result<TypeId> opaque_relation(const TypeQuery& query) {
    const AttributeValue::List* shapes = query.attributes["shapes"].as_list();
    const AttributeValue::List* dtypes = query.attributes["dtypes"].as_list();
    if (!shapes || !dtypes || shapes->size() != dtypes->size())
        return error("shapes and dtypes must be lists of one length, an entry for each result");
    std::vector<TypeId> results;
    for (size_t i = 0; i < shapes->size(); ++i) {
        const std::string* name = (*dtypes)[i].as_string();
        std::optional<DataType> dtype = name ? DataType::parse(*name) : std::nullopt;
        if (!dtype || dtype->is_void()) return error("dtypes must name element types");
        const AttributeValue::List* dims = (*shapes)[i].as_list();
        if (!dims) return error("shapes must hold lists of integers");
        std::vector<int64_t> shape;
        for (const AttributeValue& dim : *dims) {
            if (!dim.as_integer() || dim.as_integer()->value < kDynamicDim)
                return error("shapes must hold lists of integers");
            shape.push_back(dim.as_integer()->value);
        }
        results.push_back(query.types.tensor(*dtype, shape));
    }
    return results.size() == 1 ? results[0] : query.types.tuple(results);
}

Status opaque_kernel(const KernelCall& call) {
    return error("the operator " + on_one_line(call.attributes.string("op_type")) +
                 " is not supported: it can be viewed, but not run");
}

}  // namespace

std::vector<OpRecord> opaque_ops() {
    OpRecord op;
    op.name = "opaque";
    op.summary = "An operator of another program that Partita does not know; it goes by the name that op_type gives.";
    op.inputs = {"inputs"};
    op.variadic = true;
    op.pattern = OpPattern::Opaque;
    op.attributes = {required_field("op_type", AttributeKind::String, "the operator's name where it comes from"),
                     string_field("domain", "", "the operator set that it belongs to"),
                     integer_field("version", 1, "the version of that operator set"),
                     optional_field("absent", AttributeKind::IntegerList, AttributeValue::List(),
                                    "places of inputs that it may have and has not"),
                     optional_field("node_attributes", AttributeKind::Object, AttributeValue::List(),
                                    "its attributes there: names and values"),
                     optional_field("bodies", AttributeKind::Object, AttributeValue::List(),
                                    "functions of the module that it runs: what each is to it (then, else, body), and "
                                    "the function's name"),
                     integer_field("captured", 0, "how many of its last inputs only its bodies use"),
                     required_field("shapes", AttributeKind::Object, "the shape of each result; -1 is unknown"),
                     required_field("dtypes", AttributeKind::Object, "the element type of each result")};
    op.relation = opaque_relation;
    op.kernel = opaque_kernel;
    op.example =
        "fn (%x: Tensor[(2, 3), float32]) { opaque(%x, op_type=\"Custom\", domain=\"own\", shapes=[[2, 3]], "
        "dtypes=[\"float32\"]) }";
    return {op};
}

}  // namespace partita
