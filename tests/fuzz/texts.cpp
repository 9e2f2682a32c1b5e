// Relay text, its metadata section, rules, patterns, descriptions and projects.
#include <algorithm>

#include "engine/annotators/answer.h"
#include "engine/exporters/module_json.h"
#include "engine/frontends/json/module_reader.h"
#include "engine/frontends/relax/printer.h"
#include "engine/frontends/relax/reader.h"
#include "engine/frontends/relax/to_module.h"
#include "engine/frontends/relay/metadata.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/frontends/relay/syntax_error.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_composite.h"
#include "engine/passes/verify.h"
#include "engine/rules/pattern.h"
#include "engine/rules/pattern_matcher.h"
#include "engine/session/project.h"
#include "tests/fuzz/targets.h"

namespace partita::fuzz {

namespace {

/// Returns a small module with constants, attributes, tuples and a function, for rules and patterns.
const Module& subject() {
    static const Module module = [] {
        Result<Module> parsed = parse_relay(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 3, 3), float32], %b: Tensor[(4), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = nn.bias_add(%0, %b);
  %2 = nn.relu(%1);
  %3 = split(%2, indices_or_sections=2, axis=1);
  %4 = %3.0;
  %5 = %3.1;
  %6 = add(%4, %5);
  %7 = multiply(%6, 2f);
  (%7, clip(%7, a_min=0f, a_max=6f))
})");
        require(bool(parsed), "the subject parses");
        require(bool(infer_types(*parsed)), "the subject has types");
        return std::move(*parsed);
    }();
    return module;
}

std::vector<ExprId> calls_of(const Module& module) {
    std::vector<ExprId> calls;
    for (ExprId id : post_order(module, module.find_function("main")))
        if (module.called_op(id).valid()) calls.push_back(id);
    return calls;
}

/// Returns the kinds in the order of the graph. Names may differ: Relay's text renames equal ones.
std::vector<ExprKind> kinds_of(const Module& module) {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions_by_name()) roots.push_back(global.function);
    std::vector<ExprKind> kinds;
    for (ExprId id : post_order(module, roots)) kinds.push_back(module.kind(id));
    return kinds;
}

}  // namespace

void fuzz_relay(Bytes bytes) {
    Result<Module> parsed = parse_relay(bytes);
    if (!parsed) {
        require(!parsed.error().message.empty(), "a refusal has a message");
        return;
    }
    if (!infer_types(*parsed)) return;
    std::string text = print_relay(*parsed);
    Result<Module> again = parse_relay(text);
    // The text cannot express sharing between a branch and the code outside.
    if (!again || !infer_types(*again)) return;
    std::string second = print_relay(*again);
    Result<Module> third = parse_relay(second);
    require(bool(third), "printed text that reads once reads again", second);
}

void fuzz_relax(Bytes bytes) {
    Result<relax::Program> program = relax::read(bytes);
    if (!program) {
        require(!program.error().message.empty(), "a refusal has a message");
        return;
    }
    const std::string text = relax::print(*program);
    const Result<relax::Program> again = relax::read(text);
    require(bool(again), "printed text reads again", text);
    require(relax::print(*again) == text, "what is read again prints the same", text);
    Result<relax::MadeModule> made = relax::make_module(std::move(*program));
    if (made && infer_types(made->module))
        require(bool(verify(made->module, made->module.size())), "what has types is sound");
}

void fuzz_module(Bytes bytes) {
    Result<Module> module = read_module_json(bytes, "m.json");
    if (!module) {
        require(!module.error().message.empty(), "a refusal has a message");
        return;
    }
    if (!verify_scopes(*module) || !infer_types(*module)) return;
    require(bool(verify(*module, module->size())), "what has scopes and types is sound");
    const std::string text = module_to_json(*module);
    const Result<Module> again = read_module_json(text, "again.json");
    require(bool(again), "a module that was read is written so that it reads again",
            again ? "" : again.error().message);
    require(kinds_of(*again) == kinds_of(*module), "what is read again is the same", text);
}

void fuzz_metadata(Bytes bytes) {
    try {
        relay::Metadata metadata(bytes, SourcePosition{1, 1}, bytes.size());
        for (std::string_view key : {"relay.Constant", "Constant", "relay.attrs.CompilerAttrs"}) {
            if (!metadata.has(key)) continue;
            for (int64_t i = 0; i < 4; ++i) {
                uint32_t node = metadata.find(key, i, SourcePosition{1, 1});
                for (auto [name, text] : metadata.fields(node)) (void)metadata.field(node, name);
                (void)metadata.value(node);
                (void)metadata.tensor(metadata.tensor_index(node));
            }
        }
    } catch (const SyntaxError&) {
    }
}

void fuzz_rule(Bytes bytes) {
    const Module& module = subject();
    static const std::vector<ExprId> calls = calls_of(module);
    static ModuleFacts facts(module);
    for (const char* op : {"", "nn.conv2d"}) {
        RuleContext context;
        if (*op) context.op = &op_registry()[op_registry().find(op)];
        Result<std::shared_ptr<const Rule>> rule = Rule::compile(bytes, context);
        if (!rule) {
            require(rule.error().position.line > 0, "a refused rule has a place", bytes);
            continue;
        }
        for (ExprId call : calls) {
            if (context.op && module.called_op(call) != op_registry().find(op)) continue;
            RuleSubject about{module, call, &facts};
            bool value = (*rule)->evaluate(about);
            RuleExplanation explained = (*rule)->explain(about);
            require(explained.value == value, "explaining gives the rule's value", bytes);
            (void)explained.to_string();
        }
    }
}

void fuzz_pattern(Bytes bytes) {
    Result<std::shared_ptr<const Pattern>> pattern = Pattern::parse(bytes);
    if (!pattern) {
        require(pattern.error().position.line > 0, "a refused pattern has a place", bytes);
        return;
    }
    const Module& module = subject();
    static const std::vector<ExprId> calls = calls_of(module);
    PositionTable positions(module.size(), DataflowGraph::kNone);
    DataflowGraph graph(module, module.find_function("main"), positions);
    for (ExprId call : calls) {
        PatternMatcher matcher(**pattern, module, &graph);
        if (!matcher.match(call)) (void)PatternMatcher(**pattern, module, &graph).explain(call);
    }
}

void fuzz_description(Bytes bytes) {
    Result<BackendDescription> description = parse_backend_description(bytes, "fuzz.json");
    if (!description) {
        require(!description.error().message.empty(), "a refusal has a message");
        return;
    }
    const Module& module = subject();
    static const std::vector<ExprId> calls = calls_of(module);
    for (ExprId call : calls) (void)judge(*description, module, call, true);
    Result<Module> merged = merge_composite(module, description->patterns);
    if (merged) require(bool(infer_types(*merged)), "composites keep the types", bytes);
}

void fuzz_project(Bytes bytes) {
    Result<Project> project = read_project(std::string(bytes), "/fuzz/project.partita");
    if (!project) {
        require(!project.error().message.empty(), "a refusal has a message");
        return;
    }
    std::string text = write_project(*project, "/fuzz/project.partita");
    Result<Project> again = read_project(text, "/fuzz/project.partita");
    require(bool(again), "what is written reads back", text);
    require(write_project(*again, "/fuzz/project.partita") == text, "what is read back is written the same", text);
}

/// Each line is taken for an answer, and for what an annotator says of itself.
void fuzz_annotator(Bytes bytes) {
    const auto is_tame = [](const std::string& text) {
        return text.size() <= 16384 && std::none_of(text.begin(), text.end(), [](char c) {
                   return (static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f';
               });
    };
    while (!bytes.empty()) {
        const size_t end = std::min(bytes.find('\n'), bytes.size());
        const Bytes line = bytes.substr(0, end);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
        const Result<AnnotatorReply> reply = read_annotator_reply(line);
        if (!reply) require(!reply.error().message.empty(), "a refusal has a message", line);
        else require(is_tame(reply->answer.to_string()), "an answer is a few lines without control characters", line);
        const Result<AnnotatorSelf> self = read_annotator_self(line);
        if (!self) continue;
        for (const std::string& op : self->ops) require(is_tame(op), "an operator's name is one line", line);
        for (const Diagnostic& warning : self->warnings)
            require(is_tame(warning.message), "a warning is one line", line);
    }
}

}  // namespace partita::fuzz
