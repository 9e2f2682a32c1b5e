#include "engine/explain/rule_change.h"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "engine/annotators/annotator.h"
#include "engine/annotators/annotator_files.h"
#include "engine/ops/op_named.h"
#include "engine/ops/registry.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/pattern.h"
#include "engine/support/json_reader.h"
#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

/// Returns null for a rule without a condition.
Result<std::shared_ptr<const Rule>> compile(const std::string& rule, const RuleContext& context) {
    if (rule == "true") return std::shared_ptr<const Rule>();
    return Rule::compile(rule, context);
}

Status change_op(BackendDescription& backend, const RuleChange& change) {
    backend.ops.erase(change.name);
    if (change.rule == "false") return Nothing();
    const OpId op = op_named(change.name);
    if (!op.valid()) return error("there is no operator \"" + change.name + "\"");
    Result<std::shared_ptr<const Rule>> rule = compile(change.rule, {&op_registry()[op], {}});
    if (!rule) return rule.error();
    backend.ops.emplace(change.name, OpRule{change.name, *rule, change.rule});
    return Nothing();
}

CompositePattern* find_pattern(BackendDescription& backend, const std::string& name) {
    const auto found = std::find_if(backend.patterns.begin(), backend.patterns.end(),
                                    [&](const CompositePattern& pattern) { return pattern.name == name; });
    return found == backend.patterns.end() ? nullptr : &*found;
}

Status change_check(CompositePattern& pattern, const RuleChange& change) {
    Result<std::shared_ptr<const Rule>> rule =
        compile(change.rule, {pattern.pattern->root_op(), pattern.pattern->names()});
    if (!rule) return rule.error();
    pattern.annotator = nullptr;
    pattern.check = *rule;
    pattern.check_text = *rule ? change.rule : "";
    return Nothing();
}

Status change_limit(RegionLimits& limits, const RuleChange& change) {
    const RegionLimitField* field = find_region_limit(change.name);
    if (!field) return error("there is no limit \"" + change.name + "\"");
    limits.*field->value = change.limit;
    return Nothing();
}

/// Where a place in a text begins and ends, in bytes; nothing where the text does not reach so far.
std::optional<std::pair<size_t, size_t>> bytes_of(std::string_view text, const std::vector<int>& span) {
    const auto offset = [text](int line, int byte) {
        size_t at = 0;
        for (int i = 1; i < line && at != std::string_view::npos; ++i)
            if (at = text.find('\n', at); at != std::string_view::npos) ++at;
        return at == std::string_view::npos ? at : at + size_t(byte);
    };
    if (span.size() != 4 || span[0] < 1 || span[1] < 0 || span[3] < 0) return {};
    const size_t begin = offset(span[0], span[1]), end = offset(span[2], span[3]);
    if (begin > text.size() || end > text.size() || begin > end) return {};
    return std::pair(begin, end);
}

/// The path by which the annotator was given a file that its answers name by its absolute path; null: none.
const std::string* given_path(const BackendDescription& backend, const std::string& file) {
    const auto absolute = [](const std::string& path) {
        std::error_code fault;
        return std::filesystem::absolute(path, fault).lexically_normal();
    };
    if (!backend.annotator_files || file.empty()) return nullptr;
    for (const auto& [path, _] : backend.annotator_files->texts)
        if (absolute(path) == absolute(file)) return &path;
    return nullptr;
}

/// Starts an annotator with the changed text, in place of the one that runs.
Status change_condition(BackendDescription& backend, const RuleChange& change) {
    const std::string* path = given_path(backend, change.place.file);
    if (!path || !backend.running) return error("the annotator does not run " + change.place.file);
    AnnotatorFiles files = *backend.annotator_files;
    std::string& text = files.texts[*path];
    const auto bytes = bytes_of(text, change.place.span);
    if (!bytes || text.compare(bytes->first, bytes->second - bytes->first, change.name) != 0)
        return error("'" + change.name + "' no longer stands there");
    text.replace(bytes->first, bytes->second - bytes->first, change.rule);
    if (is_python(backend) && *path == backend.file) backend.source = text;
    backend.annotator_files = std::make_shared<const AnnotatorFiles>(std::move(files));
    Result<std::shared_ptr<Annotator>> started =
        Annotator::start(backend.annotator, backend.name, {}, {}, backend.annotator_files);
    if (!started) return started.error();
    const auto has_same = [&](const AnnotatorPattern& a, const AnnotatorPattern& b) {
        return a.name == b.name && a.text == b.text && a.check == b.check;
    };
    if ((*started)->self().ops != backend.running->self().ops ||
        !std::ranges::equal((*started)->self().patterns, backend.running->self().patterns, has_same))
        return error("with that it registers other rules");
    backend.running = *started;
    for (CompositePattern& pattern : backend.patterns)
        if (pattern.annotator) pattern.annotator = *started;
    return Nothing();
}

std::string json_of(const RuleChange& change) {
    if (change.kind == RuleChange::Kind::Limit) return std::to_string(int64_t(change.limit));
    if (change.rule == "true" || change.rule == "false") return change.rule;
    return json_text(nlohmann::json(change.rule));
}

/// Makes the same change in the description's text. A description that was made without a text has none.
void change_source(BackendDescription& backend, const RuleChange& change) {
    if (is_python(backend)) {
        backend.source += python_rule(backend, change.name);
        return;
    }
    std::vector<std::string> path{"ops", change.name};
    if (change.kind == RuleChange::Kind::Limit) path[0] = "limits";
    if (change.kind == RuleChange::Kind::Check)
        path = {"patterns", std::to_string(find_pattern(backend, change.name) - backend.patterns.data()), "check"};
    backend.source = with_json_value(backend.source, path, json_of(change));
}

Status apply(BackendDescription& backend, const RuleChange& change) {
    CompositePattern* pattern = find_pattern(backend, change.name);
    if (change.kind == RuleChange::Kind::Check && !pattern) return error("there is no pattern \"" + change.name + "\"");
    if (change.kind == RuleChange::Kind::Condition) return change_condition(backend, change);
    const bool in_text = can_be_written(backend, change);
    Status done = change.kind == RuleChange::Kind::Op      ? change_op(backend, change)
                  : change.kind == RuleChange::Kind::Check ? change_check(*pattern, change)
                                                           : change_limit(backend.limits, change);
    if (done && in_text) change_source(backend, change);
    return done;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Returns whether "&&" is next before or after a place, ignoring spaces; then moves `place` beyond it and the spaces.
bool skips_and(const std::string& text, size_t& place, bool forward) {
    size_t at = place;
    const auto spaces = [&] {
        while (forward ? at < text.size() && is_space(text[at]) : at > 0 && is_space(text[at - 1]))
            forward ? ++at : --at;
    };
    spaces();
    if (forward ? text.compare(at, 2, "&&") != 0 : at < 2 || text.compare(at - 2, 2, "&&") != 0) return false;
    at = forward ? at + 2 : at - 2;
    spaces();
    place = at;
    return true;
}

/// Removes a part of a conjunction with its `&&`; replaces anything else by `true`.
void make_true(std::string& text, size_t begin, size_t end) {
    const bool negated = begin > 0 && text[begin - 1] == '!';
    if (!negated && (skips_and(text, end, true) || skips_and(text, begin, false))) text.erase(begin, end - begin);
    else text.replace(begin, end - begin, "true");
}

}  // namespace

std::string RuleChange::text() const {
    switch (kind) {
        case Kind::Op: return "ops." + name + ": " + rule;
        case Kind::Check: return name + ", check: " + rule;
        case Kind::Limit: return "limits." + name + ": " + std::to_string(int64_t(limit));
        case Kind::Condition:
            return place.file.substr(place.file.rfind('/') + 1) + ":" +
                   std::to_string(place.span.empty() ? 0 : place.span[0]) + ": " + on_one_line(name) + " becomes " +
                   on_one_line(rule);
    }
    return {};
}

std::optional<RuleChange> change_of_condition(std::span<const BackendDescription> backends, int backend,
                                              const ConditionPlace& place, bool inverted) {
    const BackendDescription& description = backends[size_t(backend)];
    const std::string* path = given_path(description, place.file);
    if (!path || !description.running) return {};
    const std::string& text = description.annotator_files->texts.at(*path);
    const auto bytes = bytes_of(text, place.span);
    if (!bytes || bytes->first == bytes->second) return {};
    RuleChange change{RuleChange::Kind::Condition, backend, text.substr(bytes->first, bytes->second - bytes->first)};
    change.place = place;
    change.rule = place.holds ? "False" : "True";
    // Lines after it keep their numbers, which other conditions are known by.
    if (const auto lines = std::count(change.name.begin(), change.name.end(), '\n'); lines > 0)
        change.rule = "(" + change.rule + std::string(size_t(lines), '\n') + ")";
    if (inverted) change.rule = "(not (" + change.name + "))";
    return change;
}

bool can_be_written(const BackendDescription& backend, const RuleChange& change) {
    if (change.kind == RuleChange::Kind::Condition) {
        const std::string* path = given_path(backend, change.place.file);
        return path && *path == backend.file;
    }
    return !is_python(backend) ||
           (change.kind == RuleChange::Kind::Op && change.rule == "true" && !backend.ops.contains(change.name));
}

Result<std::vector<BackendDescription>> with_changes(std::span<const BackendDescription> backends,
                                                     std::span<const RuleChange> changes) {
    std::vector<BackendDescription> changed(backends.begin(), backends.end());
    for (const RuleChange& change : changes)
        if (Status done = apply(changed.at(size_t(change.backend)), change); !done) return done.error();
    return changed;
}

std::string without_terms(const std::string& rule, std::span<const RuleTerm> terms) {
    std::vector<const RuleTerm*> places;  // from the end, so that earlier offsets stay valid
    for (const RuleTerm& term : terms) places.push_back(&term);
    std::sort(places.begin(), places.end(), [](const RuleTerm* a, const RuleTerm* b) { return a->begin > b->begin; });
    std::string text = rule;
    size_t done = text.size() + 1;
    for (const RuleTerm* term : places) {
        if (term->begin >= done) continue;  // of a loop: the same text for another element
        done = term->begin;
        if (term->value) text.replace(term->begin, term->end - term->begin, "false");
        else make_true(text, term->begin, term->end);
    }
    return text;
}

}  // namespace partita
