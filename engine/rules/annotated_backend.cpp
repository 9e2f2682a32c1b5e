#include "engine/rules/annotated_backend.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include "engine/annotators/annotator.h"
#include "engine/ops/op_named.h"
#include "engine/ops/registry.h"
#include "engine/rules/codegen.h"
#include "engine/rules/pattern.h"

namespace partita {

namespace {

/// What stands in quotes from `at` on, blanks before it left out; "" where nothing does.
std::string quoted_at(std::string_view text, size_t at) {
    while (at < text.size() && isspace(uint8_t(text[at]))) ++at;
    if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return {};
    const size_t end = text.find(text[at], at + 1);
    return end == std::string_view::npos ? std::string() : std::string(text.substr(at + 1, end - at - 1));
}

/// The first target that a file's text names: register_pattern_table("X"), register_op_attr(op, "target.X").
std::string target_in(std::string_view text) {
    constexpr std::string_view kTable = "register_pattern_table(", kTarget = "target.";
    for (size_t at = text.find(kTable); at != std::string_view::npos; at = text.find(kTable, at + 1))
        if (std::string name = quoted_at(text, at + kTable.size()); !name.empty()) return name;
    for (size_t at = text.find(kTarget); at != std::string_view::npos; at = text.find(kTarget, at + 1)) {
        if (at == 0 || (text[at - 1] != '"' && text[at - 1] != '\'')) continue;
        const std::string name = quoted_at(text, at - 1);
        if (name.size() > kTarget.size()) return name.substr(kTarget.size());
    }
    return {};
}

std::string name_from(std::string_view text, const std::string& file) {
    std::string name = target_in(text);
    if (name.empty()) name = file.substr(file.rfind('/') + 1, file.size() - file.rfind('/') - 4);
    std::erase_if(name, [](char c) { return !isalnum(uint8_t(c)) && c != '_' && c != '-'; });
    if (name.empty() || !isalpha(uint8_t(name[0])) || name == "default") name = "annotator";
    return name;
}

void add_rules(BackendDescription& backend, const AnnotatorSelf& self, std::vector<Diagnostic>& notes) {
    std::vector<std::string> ops = self.ops;
    if (self.all_ops)
        for (const OpRecord& op : op_registry().records())
            if (!op.name.starts_with("annotation.compiler_")) ops.push_back(op.name);
    std::string unknown;
    for (const std::string& op : ops) {
        if (op_named(op).valid()) backend.ops.insert_or_assign(op, OpRule{op, nullptr, "true", true});
        else unknown += (unknown.empty() ? "" : ", ") + op;
    }
    if (!unknown.empty())
        notes.push_back({Severity::Note, backend.file, {}, "rules for operators that are not known here: " + unknown});
}

void add_patterns(BackendDescription& backend, const AnnotatorSelf& self, std::vector<Diagnostic>& notes) {
    for (size_t i = 0; i < self.patterns.size(); ++i) {
        const AnnotatorPattern& described = self.patterns[i];
        const auto leave_out = [&](const std::string& why) {
            notes.push_back({Severity::Warning,
                             backend.file,
                             {},
                             "the pattern " + described.name + " is left out, it can match nothing here: " + why});
        };
        if (!described.name.starts_with(backend.name + ".")) {
            leave_out("a composite of this backend is named " + backend.name + ".NAME");
            continue;
        }
        Result<std::shared_ptr<const Pattern>> pattern = Pattern::parse(described.text);
        if (!pattern) {
            leave_out(pattern.error().message);
            continue;
        }
        CompositePattern made;
        made.name = described.name;
        made.pattern = *pattern;
        made.pattern_text = described.text;
        if (described.check) {
            made.annotator = backend.running;
            made.annotator_check = int32_t(i);
        }
        backend.patterns.push_back(std::move(made));
    }
}

}  // namespace

BackendDescription annotator_backend(std::string_view text, const std::string& file) {
    BackendDescription backend;
    backend.name = name_from(text, file);
    backend.annotator = "python:" + file;
    backend.file = file;
    backend.source = text;
    return backend;
}

std::string annotator_beside(const std::string& annotator, const std::string& description) {
    if (annotator.starts_with(kCommandPrefix))
        return std::string(kCommandPrefix) + command_beside(annotator.substr(kCommandPrefix.size()), description);
    const size_t slash = description.rfind('/'), path = kPythonAnnotator.size();
    const bool relative = !description.ends_with(".py") && annotator.starts_with(kPythonAnnotator) &&
                          annotator.size() > path && annotator[path] != '/';
    if (!relative || slash == std::string::npos) return annotator;
    return std::string(kPythonAnnotator) + description.substr(0, slash + 1) + annotator.substr(path);
}

bool is_python(const BackendDescription& backend) {
    return !backend.file.empty() && backend.annotator == std::string(kPythonAnnotator) + backend.file;
}

std::string python_rule(const BackendDescription& backend, const std::string& op) {
    std::string name = "any_" + op;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !isalnum(uint8_t(c)); }, '_');
    const bool imports =
        backend.source.starts_with("import tvm\n") || backend.source.find("\nimport tvm\n") != std::string::npos;
    const std::string before = backend.source.ends_with('\n') || backend.source.empty() ? "" : "\n";
    return before + (imports ? "" : "\nimport tvm\n") + "\n\n@tvm.ir.register_op_attr(\"" + op + "\", \"target." +
           backend.name + "\")\ndef " + name + "(expr):\n    return True\n";
}

AnnotatorFiles files_of_annotator(const BackendDescription& backend) {
    const bool own = is_python(backend) && !backend.source.empty();
    return read_annotator_files(backend.annotator, own ? std::optional(backend.source) : std::nullopt);
}

Status start_annotators(std::span<BackendDescription> backends, std::vector<Diagnostic>& notes,
                        const CancelToken& cancel) {
    for (BackendDescription& backend : backends) {
        if (backend.annotator.empty() || backend.running) continue;
        if (!backend.annotator_files)
            backend.annotator_files = std::make_shared<AnnotatorFiles>(files_of_annotator(backend));
        Result<std::shared_ptr<Annotator>> started =
            Annotator::start(backend.annotator, backend.name, cancel, {}, backend.annotator_files);
        if (!started) {
            Diagnostic fault = started.error();
            if (fault.file.empty()) fault.file = backend.file;
            return fault;
        }
        take_annotator(backend, *started, notes);
    }
    return Nothing();
}

void take_annotator(BackendDescription& backend, std::shared_ptr<Annotator> annotator, std::vector<Diagnostic>& notes) {
    backend.running = std::move(annotator);
    const AnnotatorSelf& self = backend.running->self();
    backend.of_file = backend.of_file || self.of_file;
    for (Diagnostic warning : self.warnings) {
        if (warning.file.empty()) warning.file = backend.file;
        notes.push_back(std::move(warning));
    }
    add_rules(backend, self, notes);
    add_patterns(backend, self, notes);
}

int own_line(const BackendDescription& backend, std::string_view place) {
    const std::string_view annotator = backend.annotator;
    if (!annotator.starts_with(kPythonAnnotator)) return 0;
    const size_t slash = annotator.rfind('/');
    const size_t begin = slash == std::string_view::npos ? kPythonAnnotator.size() : slash + 1;
    const std::string_view file = annotator.substr(begin);
    if (!place.starts_with(file) || !place.substr(file.size()).starts_with(':')) return 0;
    place.remove_prefix(file.size() + 1);
    int line = 0;
    const auto [end, fault] = std::from_chars(place.data(), place.data() + place.size(), line);
    const bool whole = end == place.data() + place.size() || *end == ':';
    return fault == std::errc() && whole && line > 0 ? line : 0;
}

std::vector<RulePlace> outline_annotator(const BackendDescription& backend) {
    std::map<std::string, std::string, std::less<>> rules;  // by what stands in quotes
    for (const auto& [op, rule] : backend.ops)
        if (rule.by_annotator) rules.emplace(op, "ops." + op);
    for (const CompositePattern& pattern : backend.patterns) {
        rules.emplace(pattern.name, pattern.name);
        rules.emplace(pattern.name.substr(backend.name.size() + 1), pattern.name);
    }
    // Where a name is registered, else where it first stands.
    std::map<std::string, RulePlace> places;
    std::set<std::string> registered;
    uint32_t line = 1;
    size_t line_begin = 0;
    const std::string_view text = backend.source;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\n') {
            ++line;
            line_begin = at + 1;
        }
        if (text[at] != '"' && text[at] != '\'') continue;
        const size_t end = text.find_first_of("\"'\n", at + 1);
        if (end == std::string_view::npos) break;
        if (const auto rule = rules.find(text.substr(at + 1, end - at - 1)); rule != rules.end()) {
            const RulePlace place{rule->second, {line, 1}};
            const bool registers = text.substr(line_begin, at - line_begin).find("register") != std::string_view::npos;
            if (!registers) places.emplace(rule->second, place);
            else if (registered.insert(rule->second).second) places.insert_or_assign(rule->second, place);
        }
        at = text[end] == '\n' ? end - 1 : end;
    }
    for (const auto& [_, rule] : rules) places.emplace(rule, RulePlace{rule, {1, 1}});  // put together as the file runs
    std::vector<RulePlace> ordered;
    for (auto& [_, place] : places) ordered.push_back(std::move(place));
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const RulePlace& a, const RulePlace& b) { return a.position.line < b.position.line; });
    return ordered;
}

std::vector<AnnotatorAnswer> ask_about_matches(const CompositePattern& pattern, ModuleFacts& facts,
                                               std::span<const ExprId> roots, bool explain, const CancelToken& cancel) {
    std::vector<AnnotatorQuestion> questions;
    for (ExprId root : roots) questions.push_back({{OpId(), pattern.annotator_check}, root});
    return facts.session(pattern.annotator).ask(questions, explain, cancel);
}

}  // namespace partita
