// Prints how long a rule in Python takes over 100,000 calls: asked plainly, with a trace, and asked again.
#include <cstdio>
#include <string>
#include <vector>

#include "engine/annotators/annotator.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/support/stopwatch.h"

using namespace partita;

namespace {

constexpr int kCalls = 100000;

/// Convolutions one after the other, every second of them depthwise.
Module convolutions() {
    Module module;
    const OpId op = op_registry().find("nn.conv2d");
    const OpRecord& record = op_registry()[op];
    const auto attributes = [&](int groups) {
        AttributeList list = record.default_attributes();
        const auto set = [&](const char* name, AttributeValue value) {
            list[size_t(record.attribute_index(name))] = std::move(value);
        };
        set("groups", groups);
        set("channels", 8);
        set("kernel_size", AttributeValue::List{3, 3});
        set("padding", AttributeValue::List{1, 1, 1, 1});
        return module.add_attributes(std::move(list));
    };
    const AttributesId plain = attributes(1), depthwise = attributes(8);
    const TypeId type = module.types().tensor(kFloat32, {1, 8, 4, 4});
    const ExprId x = module.add_var("x", type);
    const ExprId weight = module.add_var("w", module.types().tensor(kFloat32, {8, 8, 3, 3}));
    const ExprId depthwise_weight = module.add_var("d", module.types().tensor(kFloat32, {8, 1, 3, 3}));
    const ExprId callee = module.add_op(op);
    ExprId value = x;
    for (int i = 0; i < kCalls; ++i)
        value = module.add_call(callee, {value, i % 2 ? depthwise_weight : weight}, i % 2 ? depthwise : plain);
    module.set_function("main", module.add_function({{x, weight, depthwise_weight}}, value));
    return module;
}

double seconds_to_ask(AnnotatorSession& session, std::span<const AnnotatorQuestion> questions, bool explain,
                      const char* what) {
    const Stopwatch watch;
    size_t accepted = 0;
    for (const AnnotatorAnswer& answer : session.ask(questions, explain)) accepted += answer.accepted;
    const double seconds = watch.milliseconds() / 1000;
    std::printf("%-12s %6.2f s, %zu of %zu accepted\n", what, seconds, accepted, questions.size());
    return seconds;
}

}  // namespace

int main() {
    Module module = convolutions();
    if (const Status typed = infer_types(module); !typed) {
        std::fprintf(stderr, "%s\n", typed.error().to_string().c_str());
        return 1;
    }
    const std::string file = PARTITA_SOURCE_DIR "/tests/annotators/tile_engine.py";
    const Stopwatch watch;
    Result<std::shared_ptr<Annotator>> annotator = Annotator::start("python:" + file, "");
    if (!annotator) {
        std::fprintf(stderr, "%s\n", annotator.error().to_string().c_str());
        return 1;
    }
    std::printf("%-12s %6.2f s\n", "start", watch.milliseconds() / 1000);
    std::vector<AnnotatorQuestion> questions;
    for (uint32_t id = 0; id < module.size(); ++id)
        if (const OpId op = module.called_op(ExprId(id)); op.valid()) questions.push_back({{op, -1}, ExprId(id)});
    AnnotatorSession session(*annotator, module);
    seconds_to_ask(session, questions, false, "plain");
    seconds_to_ask(session, questions, true, "traced");
    AnnotatorSession again(*annotator, module);
    seconds_to_ask(again, questions, true, "again");
    return 0;
}
