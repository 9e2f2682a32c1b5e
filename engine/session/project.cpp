#include "engine/session/project.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/flow/names.h"
#include "engine/flow/reported_division.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/support/file.h"
#include "engine/support/hash.h"
#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Switch {
    const char* name;
    bool FlowChoice::*field;
};
constexpr std::array<Switch, 11> kSwitches = {{{"annotate", &FlowChoice::annotate},
                                               {"merge", &FlowChoice::merge},
                                               {"partition", &FlowChoice::partition},
                                               {"lower", &FlowChoice::lower},
                                               {"simplify", &FlowChoice::simplify},
                                               {"fold", &FlowChoice::fold},
                                               {"composite", &FlowChoice::composite},
                                               {"include_non_call_ops", &FlowChoice::include_non_call_ops},
                                               {"mangle_names", &FlowChoice::mangle_names},
                                               {"by_cost", &FlowChoice::by_cost},
                                               {"bind_constants", &FlowChoice::bind_constants}}};

std::string absolute_path(const std::string& path, const std::string& file) {
    const fs::path given(path);
    return (given.is_absolute() ? given : fs::path(file).parent_path() / given).lexically_normal().string();
}

std::string relative_path(const std::string& path, const std::string& file) {
    if (!fs::path(path).is_absolute()) return path;
    const fs::path relative = fs::path(path).lexically_relative(fs::path(file).parent_path());
    return relative.empty() ? path : relative.string();
}

Diagnostic fault(const std::string& file, const std::string& message) {
    Diagnostic diagnostic = error(message);
    diagnostic.file = file;
    return diagnostic;
}

bool is_builtin(const std::string& name) {
    for (const std::string& builtin : builtin_backend_names())
        if (builtin == name) return true;
    return false;
}

/// The deepest nesting of a document. Deeper ones are refused, because writing is recursive.
constexpr int kDeepestNesting = 64;

/// Returns whether brackets nest too deep, without parsing the document.
bool is_too_deep(const std::string& text) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        if (quoted) {
            if (text[i] == '\\') ++i;
            else if (text[i] == '"') quoted = false;
        } else if (text[i] == '"') quoted = true;
        else if (text[i] == '[' || text[i] == '{') {
            if (++depth > kDeepestNesting) return true;
        } else if (text[i] == ']' || text[i] == '}') --depth;
    }
    return false;
}

/// Updates a document from an older version, one version at a time.
void migrate(json& document, int64_t from) {
    // Version 2 added the digest of the module's file; without one, nothing is compared.
    if (from < 2) document.erase("digest");
}

/// Unknown members, as stored in `unknown` of a project. Those of the document and of "flow" keep their path; those of
/// list entries lie below the list's name and the entry's key.
class UnknownMembers {
public:
    void gather(const json& document) {
        for (const auto& [key, value] : document.items())
            if (!is_one_of(kMembers, key)) members_[key] = value;
        if (const auto flow = document.find("flow"); flow != document.end() && flow->is_object())
            for (const auto& [key, value] : flow->items())
                if (key != "partitioner" &&
                    std::none_of(kSwitches.begin(), kSwitches.end(),
                                 [&key = key](const Switch& entry) { return key == entry.name; }))
                    members_["flow"][key] = value;
    }
    void gather(const char* list, const std::string& which, const json& entry, std::span<const char* const> known) {
        for (const auto& [key, value] : entry.items())
            if (!is_one_of(known, key)) members_[list][which][key] = value;
    }
    std::string text() const { return members_.empty() ? "" : json_text(members_); }

    static constexpr const char* kAssignment[] = {"expression", "name", "backend", "group"};
    static constexpr const char* kBookmark[] = {"expression", "name", "note"};
    static constexpr const char* kBackend[] = {"name", "text"};
    static constexpr const char* kInput[] = {"parameter", "file", "member", "layout", "mean", "scale"};

private:
    static constexpr const char* kMembers[] = {"format",     "version",  "module", "module_text", "digest",
                                               "recovers",   "backends", "flow",   "assignments", "bookmarks",
                                               "dimensions", "runs",     "inputs", "reports"};

    static bool is_one_of(std::span<const char* const> known, const std::string& key) {
        return std::any_of(known.begin(), known.end(), [&](const char* name) { return key == name; });
    }

    json members_ = json::object();
};

/// Returns `entry` with its unknown members.
json with_unknown(const json& kept, const char* list, const std::string& which, const json& entry) {
    json whole = json::object();
    if (const auto entries = kept.find(list); entries != kept.end())
        if (const auto members = entries->find(which); members != entries->end()) whole = *members;
    whole.update(entry);
    return whole;
}

/// Returns the path of the module; if that file does not exist, the one of the same name beside the project.
std::string find_module(const std::string& given, const std::string& file) {
    std::string path = absolute_path(given, file);
    std::error_code ignored;
    if (fs::exists(path, ignored)) return path;
    fs::path beside = fs::path(file).parent_path() / fs::path(given).filename();
    return fs::exists(beside, ignored) ? beside.lexically_normal().string() : path;
}

/// Returns the text with line ends of one character.
std::string without_returns(std::string text) {
    for (size_t at = text.find("\r\n"); at != text.npos; at = text.find("\r\n", at)) text.erase(at, 1);
    return text;
}

/// Returns the text of a description if it differs from its file or the built-in one; else "". Ignores line ends, which
/// an editor may have changed.
std::string unsaved_text(const BackendDescription& backend) {
    if (backend.file.empty())
        return builtin_backend_source(backend.name) == backend.source ? std::string() : backend.source;
    const Result<std::string> text = read_file(backend.file);
    return text && without_returns(*text) == without_returns(backend.source) ? std::string() : backend.source;
}

/// Reads the dimensions; ignores those below 1.
std::map<std::string, int64_t> dimensions_of(const json& document) {
    std::map<std::string, int64_t> dimensions;
    const auto given = document.find("dimensions");
    if (given == document.end() || !given->is_object()) return dimensions;
    for (const auto& [symbol, value] : given->items())
        if (value.is_number_integer() && value.get<int64_t>() >= 1) dimensions[symbol] = value.get<int64_t>();
    return dimensions;
}

/// Returns a text member; "" if it is missing or of another type.
std::string text_of(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Returns a name without its number: `add #2 'x'` becomes `add 'x'`.
std::string without_number(std::string name) {
    const size_t mark = name.find(" #");
    const size_t end = mark == std::string::npos ? mark : name.find_first_not_of("0123456789", mark + 2);
    if (mark != std::string::npos) name.erase(mark, end == std::string::npos ? end : end - mark);
    return name;
}

/// Reads the members of a project's document, each with its own words for what is wrong.
class ProjectReader {
public:
    explicit ProjectReader(const std::string& file) : file_(file) {}

    Result<Project> read(const std::string& text) {
        if (is_too_deep(text)) return fault(file_, "this is not a Partita project: its brackets nest too deep");
        json document = json_of_text(text);
        if (Status fits = check_format(document); !fits) return fits.error();
        migrate(document, document["version"].get<int64_t>());
        unknown_.gather(document);
        project_.dimensions = dimensions_of(document);
        project_.module_digest = text_of(document, "digest");
        project_.recovers = text_of(document, "recovers");
        project_.module_path = text_of(document, "module");
        if (project_.module_path.empty()) return fault(file_, "the project names no \"module\"");
        project_.module_path = find_module(project_.module_path, file_);
        project_.module_text = text_of(document, "module_text");
        read_switches(document);
        for (Status (ProjectReader::*part)(const json&) :
             {&ProjectReader::read_backends, &ProjectReader::read_assignments, &ProjectReader::read_bookmarks,
              &ProjectReader::read_inputs})
            if (Status done = (this->*part)(document); !done) return done.error();
        for (const json& report : list_of(document, "reports"))
            if (report.is_string()) project_.reports.push_back(absolute_path(report.get<std::string>(), file_));
        read_runs(document);
        project_.unknown = unknown_.text();
        return std::move(project_);
    }

private:
    Status check_format(const json& document) const {
        if (document.is_discarded() || !document.is_object())
            return fault(file_, "this is not a Partita project: it is not a JSON object");
        if (text_of(document, "format") != "partita")
            return fault(file_, "this is not a Partita project: \"format\" is not \"partita\"");
        const auto version = document.find("version");
        if (version == document.end() || !version->is_number_integer() || version->get<int64_t>() < 1)
            return fault(file_, "the project has no \"version\"");
        if (version->get<int64_t>() > kProjectVersion)
            return fault(file_, "the project was written by a newer version of Partita");
        return Nothing();
    }

    /// Returns the list of that name; an empty one where there is none.
    static const json& list_of(const json& document, const char* name) {
        static const json none = json::array();
        const auto list = document.find(name);
        return list != document.end() && list->is_array() ? *list : none;
    }

    static std::optional<uint32_t> expression_of(const json& entry) {
        const auto id = entry.find("expression");
        if (id == entry.end() || !id->is_number_unsigned() || id->get<uint64_t>() >= ExprId::kInvalid) return {};
        return id->get<uint32_t>();
    }

    Status read_backends(const json& document) {
        const json& backends = list_of(document, "backends");
        if (backends.size() > kMostBackends)
            return fault(file_, "the project names " + std::to_string(backends.size()) + " backends; at most " +
                                    std::to_string(kMostBackends) + " are read");
        for (const json& backend : backends) {
            if (!backend.is_string() && !backend.is_object())
                return fault(file_, "\"backends\" must be a list of names and paths");
            const std::string text = backend.is_object() ? text_of(backend, "text") : std::string();
            if (backend.is_object() && text.empty()) return fault(file_, "a backend of the project has no \"text\"");
            const std::string name = backend.is_object() ? text_of(backend, "name") : backend.get<std::string>();
            const bool bare = !text.empty() && name.find('/') == std::string::npos;
            project_.backends.push_back({bare || is_builtin(name) ? name : absolute_path(name, file_), text});
            if (backend.is_object())
                unknown_.gather("backends", project_.backends.back().name, backend, UnknownMembers::kBackend);
        }
        return Nothing();
    }

    void read_switches(const json& document) {
        const auto flow = document.find("flow");
        if (flow == document.end() || !flow->is_object()) return;
        for (const Switch& entry : kSwitches)
            if (const auto value = flow->find(entry.name); value != flow->end() && value->is_boolean())
                project_.choice.*entry.field = value->get<bool>();
        const auto partitioner = flow->find("partitioner");
        if (partitioner == flow->end() || !partitioner->is_object()) return;
        PartitionerChoice& choice = project_.choice.partitioner;
        for (const auto& [name, value] : partitioner->items()) {
            if (!value.is_string()) continue;
            if (name == "name") choice.name = value.get<std::string>();
            else choice.options[name] = value.get<std::string>();
        }
    }

    Status read_assignments(const json& document) {
        for (const json& entry : list_of(document, "assignments")) {
            if (!entry.is_object()) return fault(file_, "\"assignments\" must be a list of objects");
            const std::optional<uint32_t> id = expression_of(entry);
            if (!id) return fault(file_, "an assignment has no \"expression\"");
            const auto group = entry.find("group");
            const bool grouped =
                group != entry.end() && group->is_number_unsigned() && group->get<uint64_t>() < 1000000;
            project_.assignments.push_back(
                {*id, text_of(entry, "name"), text_of(entry, "backend"), grouped ? group->get<int>() : 0});
            unknown_.gather("assignments", project_.assignments.back().name, entry, UnknownMembers::kAssignment);
        }
        return Nothing();
    }

    Status read_bookmarks(const json& document) {
        for (const json& entry : list_of(document, "bookmarks")) {
            const std::optional<uint32_t> id = entry.is_object() ? expression_of(entry) : std::nullopt;
            if (!id) return fault(file_, "a bookmark has no \"expression\"");
            project_.bookmarks.push_back({ExprId(*id), text_of(entry, "name"), text_of(entry, "note")});
            const auto note = entry.find("note");
            const bool has_other_note = note != entry.end() && !note->is_string();
            const std::span<const char* const> known = UnknownMembers::kBookmark;
            unknown_.gather("bookmarks", project_.bookmarks.back().name, entry,
                            has_other_note ? known.first(known.size() - 1) : known);
        }
        return Nothing();
    }

    /// Reads one number for each colour. Returns false if they are others.
    static bool read_colours(const json& entry, const char* key, std::array<double, 3>& colours) {
        const auto given = entry.find(key);
        if (given == entry.end() || !given->is_array() || given->size() != colours.size()) return false;
        for (size_t i = 0; i < colours.size(); ++i) {
            if (!(*given)[i].is_number()) return false;
            colours[i] = (*given)[i].get<double>();
            if (!std::isfinite(colours[i])) return false;
        }
        return true;
    }

    Status read_inputs(const json& document) {
        for (const json& entry : list_of(document, "inputs")) {
            InputFile input;
            if (entry.is_object()) input.parameter = text_of(entry, "parameter");
            const std::string path = entry.is_object() ? text_of(entry, "file") : std::string();
            if (input.parameter.empty() || path.empty())
                return fault(file_, "an input of the project has no \"parameter\" or no \"file\"");
            input.path = absolute_path(path, file_);
            input.member = text_of(entry, "member");
            if (const std::string layout = text_of(entry, "layout"); !layout.empty()) {
                ImageForm& form = input.image.emplace();
                form.layout = layout == "NHWC" ? ImageForm::Layout::NHWC : ImageForm::Layout::NCHW;
                const bool known = layout == "NHWC" || layout == "NCHW";
                if (!known || !read_colours(entry, "mean", form.mean) || !read_colours(entry, "scale", form.scale) ||
                    std::count(form.scale.begin(), form.scale.end(), 0.0) > 0)
                    return fault(file_, "the image for the input " + in_quotes(input.parameter) +
                                            " needs a \"layout\" (NCHW or NHWC), and three numbers as \"mean\" and "
                                            "\"scale\", of which no scale is 0");
            }
            unknown_.gather("inputs", input.parameter, entry, UnknownMembers::kInput);
            project_.inputs.push_back(std::move(input));
        }
        return Nothing();
    }

    /// Old times are no reason to refuse a project: what can't be read is left out.
    void read_runs(const json& document) {
        for (const json& entry : list_of(document, "runs"))
            if (Result<RunRecord> run = parse_run_record(json_text(entry), file_);
                run && project_.runs.size() < kMostKeptRuns)
                project_.runs.push_back(std::make_shared<const RunRecord>(std::move(*run)));
    }

    const std::string& file_;
    Project project_;
    UnknownMembers unknown_;
};

}  // namespace

Result<Project> read_project(const std::string& text, const std::string& file) {
    return ProjectReader(file).read(text);
}

std::string write_project(const Project& project, const std::string& file) {
    json document = project.unknown.empty() ? json::object() : json_of_text(project.unknown);
    if (!document.is_object()) document = json::object();
    json kept = json::object();
    for (const char* list : {"backends", "assignments", "bookmarks", "inputs"})
        if (document.contains(list)) {
            kept[list] = std::move(document[list]);
            document.erase(list);
        }
    document["format"] = "partita";
    document["version"] = kProjectVersion;
    if (!project.module_digest.empty()) document["digest"] = project.module_digest;
    for (const auto& [symbol, value] : project.dimensions) document["dimensions"][symbol] = value;
    if (!project.recovers.empty()) document["recovers"] = project.recovers;
    document["module"] = relative_path(project.module_path, file);
    if (!project.module_text.empty()) document["module_text"] = project.module_text;
    document["backends"] = json::array();
    for (const Project::Backend& backend : project.backends) {
        const std::string name = is_builtin(backend.name) ? backend.name : relative_path(backend.name, file);
        if (backend.text.empty()) document["backends"].push_back(name);
        else
            document["backends"].push_back(
                with_unknown(kept, "backends", backend.name, {{"name", name}, {"text", backend.text}}));
    }
    for (const Switch& entry : kSwitches) document["flow"][entry.name] = project.choice.*entry.field;
    if (const PartitionerChoice& choice = project.choice.partitioner; !choice.is_own()) {
        json& partitioner = document["flow"]["partitioner"] = choice.options;
        partitioner["name"] = choice.name;
    }
    document["assignments"] = json::array();
    for (const ProjectAssignment& given : project.assignments) {
        json entry = {{"expression", given.expression}, {"name", given.name}};
        if (!given.backend.empty()) entry["backend"] = given.backend;
        if (given.group) entry["group"] = given.group;
        document["assignments"].push_back(with_unknown(kept, "assignments", given.name, entry));
    }
    if (!project.bookmarks.empty()) document["bookmarks"] = json::array();
    for (const Bookmark& mark : project.bookmarks) {
        json entry = {{"expression", mark.expression.value}, {"name", mark.name}};
        if (!mark.note.empty()) entry["note"] = mark.note;
        document["bookmarks"].push_back(with_unknown(kept, "bookmarks", mark.name, entry));
    }
    if (!project.inputs.empty()) document["inputs"] = json::array();
    for (const InputFile& input : project.inputs) {
        json entry = {{"parameter", input.parameter}, {"file", relative_path(input.path, file)}};
        if (!input.member.empty()) entry["member"] = input.member;
        if (input.image) {
            entry["layout"] = input.image->layout == ImageForm::Layout::NHWC ? "NHWC" : "NCHW";
            entry["mean"] = input.image->mean;
            entry["scale"] = input.image->scale;
        }
        document["inputs"].push_back(with_unknown(kept, "inputs", input.parameter, entry));
    }
    for (const std::string& report : project.reports) document["reports"].push_back(relative_path(report, file));
    for (const RunRecordPtr& run : project.runs)
        if (json entry = json_of_text(format_run_record(*run)); entry.is_object())
            document["runs"].push_back(std::move(entry));
    return json_text(document, 2, JsonLetters::Ascii) + "\n";
}

std::string digest_of_file(const std::string& path, const CancelToken& cancel) {
    // Reads in blocks, because the file of a model can be larger than what is loaded of it.
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    uint64_t halves[] = {1, 2}, size = 0;
    auto add = [&](uint64_t word) {
        for (uint64_t& half : halves) half = hash_combine(half, word);
    };
    std::vector<char> piece(size_t(1) << 18);
    while (file) {
        if (cancel.cancelled()) return {};
        file.read(piece.data(), std::streamsize(piece.size()));
        const size_t read = size_t(file.gcount());
        size += read;
        size_t i = 0;
        for (; i + 8 <= read; i += 8) {
            uint64_t word;
            std::memcpy(&word, piece.data() + i, 8);
            add(word);
        }
        for (; i < read; ++i) add(uint8_t(piece[i]));
    }
    add(size);
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(halves[0]),
                  static_cast<unsigned long long>(halves[1]));
    return text;
}

Project project_of(const FlowChoice& choice, const std::string& module_path, const ExpressionNames& names) {
    Project project;
    project.module_path = module_path;
    project.choice = choice;
    if (choice.reported) project.reports = choice.reported->files;
    project.choice.reported = nullptr;
    for (const BackendPtr& backend : choice.backends)
        if (!backend->source.empty())  // the module names it again when it is opened
            project.backends.push_back({backend->file.empty() ? backend->name : backend->file, unsaved_text(*backend)});
    for (const MissingBackend& missing : choice.missing) {
        const size_t place = std::min(missing.place, project.backends.size());
        project.backends.insert(project.backends.begin() + ptrdiff_t(place), {missing.name, missing.text});
    }
    std::map<ExprId, ProjectAssignment> given;
    for (const auto& [expr, number] : choice.overrides->given())
        given[expr] = {expr.value, names.name(expr), choice.overrides->name(number), 0};
    for (const auto& [expr, group] : *choice.groups) {
        ProjectAssignment& entry =
            given.try_emplace(expr, ProjectAssignment{expr.value, names.name(expr), {}, 0}).first->second;
        entry.group = group;
    }
    for (auto& [expr, entry] : given) project.assignments.push_back(std::move(entry));
    project.choice.backends.clear();
    project.choice.missing.clear();
    project.choice.overrides.clear();
    project.choice.groups.clear();
    return project;
}

Result<Project> project_with_module(const FlowChoice& choice, const std::string& module_path, const Module& module,
                                    const std::vector<Bookmark>& bookmarks) {
    const std::string text = print_relay(module);
    Result<OpenedModule> again = open_text(text, module_path);
    if (!again) return again.error();
    // The text has the same graph in the same order.
    const auto order_of = [](const Module& of) {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : of.functions_by_name()) roots.push_back(global.function);
        return post_order(of, roots);
    };
    const std::vector<ExprId> before = order_of(module), after = order_of(*again->module);
    FlowChoice carried = choice.after_rewriting();
    std::vector<ExprId> image(module.size());
    for (size_t i = 0; before.size() == after.size() && i < before.size(); ++i) image[before[i].value] = after[i];
    carried.overrides = choice.overrides->carriedOver(image);
    carried.groups = carried_over(*choice.groups, image);
    const ExpressionNames names(*again->module);
    Project project = project_of(carried, module_path, names);
    project.module_text = text;
    for (size_t i = 0; before.size() == after.size() && i < before.size(); ++i)
        for (const Bookmark& mark : bookmarks)
            if (mark.expression == before[i]) project.bookmarks.push_back({after[i], names.name(after[i]), mark.note});
    return project;
}

std::vector<Bookmark> bookmarks_of(const Project& project, const Module& module, const ExpressionNames& names) {
    std::vector<Bookmark> kept;
    const bool annotated = !project.bookmarks.empty() && has_annotations(module);
    for (const Bookmark& mark : project.bookmarks) {
        if (mark.expression.value >= module.size()) continue;
        const std::string now = names.name(mark.expression);
        // Earlier versions numbered annotations together with operators.
        const bool counted_otherwise = annotated && without_number(now) == without_number(mark.name);
        if (now != mark.name && !counted_otherwise) continue;
        kept.push_back(mark);
        kept.back().name = now;
    }
    return kept;
}

FlowChoice choice_of(const Project& project, const Module& module, const ExpressionNames& names,
                     std::vector<Diagnostic>& notes) {
    FlowChoice choice = project.choice;
    std::set<std::string> known;  // by the project's name and by the description's own
    const auto leave_out = [&](const std::string& name) {
        Diagnostic note = error("the project names the backend " + name + " more than once: the first is used");
        note.severity = Severity::Warning;
        if (known.insert(name + " twice").second) notes.push_back(std::move(note));
    };
    for (size_t place = 0; place < project.backends.size(); ++place) {
        const Project::Backend& backend = project.backends[place];
        if (!known.insert(backend.name).second) {
            leave_out(backend.name);
            continue;
        }
        const bool in_file = backend.name.find('/') != std::string::npos;
        Result<BackendDescription> loaded =
            backend.text.empty() ? load_backend(backend.name)
                                 : parse_backend_description(backend.text, in_file ? backend.name : std::string());
        if (loaded && loaded->name != backend.name && !known.insert(loaded->name).second) {
            leave_out(loaded->name);
            continue;
        }
        if (loaded) {
            choice.backends.push_back(std::make_shared<BackendDescription>(std::move(*loaded)));
            continue;
        }
        choice.missing.push_back({place, backend.name, backend.text, loaded.error().to_string()});
        notes.push_back(loaded.error());
    }
    Overrides overrides;
    std::vector<std::pair<ExprId, int>> groups;
    for (const ProjectAssignment& given : project.assignments) {
        const ExprId id(given.expression);
        if (given.expression < module.size() && names.name(id) == given.name) {
            if (!given.backend.empty()) overrides[id] = given.backend;
            if (given.group > 0) groups.emplace_back(id, given.group);
            continue;
        }
        Diagnostic note =
            error("the module has no " + given.name + " any more: its assignment to " + given.backend + " is dropped");
        note.severity = Severity::Warning;
        notes.push_back(std::move(note));
    }
    choice.overrides = HandPlacement(overrides);
    choice.groups.change([&groups](ExpressionMap<int>& table) { table.assign(std::move(groups)); });
    return choice;
}

}  // namespace partita
