#include "app/gui/document/project_file.h"

#include <array>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "engine/session/names.h"

namespace partita {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Switch {
    const char* name;
    bool FlowChoice::*field;
};
constexpr std::array<Switch, 8> kSwitches = {{{"annotate", &FlowChoice::annotate},
                                              {"merge", &FlowChoice::merge},
                                              {"partition", &FlowChoice::partition},
                                              {"simplify", &FlowChoice::simplify},
                                              {"composite", &FlowChoice::composite},
                                              {"include_non_call_ops", &FlowChoice::include_non_call_ops},
                                              {"mangle_names", &FlowChoice::mangle_names},
                                              {"bind_constants", &FlowChoice::bind_constants}}};

std::string absolute_path(const std::string& path, const std::string& file) {
    return fs::path(path).is_absolute() ? path : (fs::path(file).parent_path() / path).lexically_normal().string();
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

/// The member's text, or "" where it is missing or of another type.
std::string text_of(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Result<Project> read_project(const std::string& text, const std::string& file) {
    const json document = json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object()) return fault(file, "this is not a Partita project: it is no JSON object");
    if (text_of(document, "format") != "partita") return fault(file, "this is not a Partita project: \"format\" is not \"partita\"");
    const auto version = document.find("version");
    if (version == document.end() || !version->is_number_integer() || version->get<int64_t>() < 1)
        return fault(file, "the project has no \"version\"");
    if (version->get<int64_t>() > kProjectVersion) return fault(file, "the project was written by a newer version of Partita");
    Project project;
    project.module_path = text_of(document, "module");
    if (project.module_path.empty()) return fault(file, "the project names no \"module\"");
    project.module_path = absolute_path(project.module_path, file);
    if (const auto backends = document.find("backends"); backends != document.end() && backends->is_array())
        for (const json& backend : *backends) {
            if (!backend.is_string()) return fault(file, "\"backends\" must be a list of names and paths");
            const std::string name = backend.get<std::string>();
            project.backends.push_back(is_builtin(name) ? name : absolute_path(name, file));
        }
    if (const auto flow = document.find("flow"); flow != document.end() && flow->is_object())
        for (const Switch& entry : kSwitches)
            if (const auto value = flow->find(entry.name); value != flow->end() && value->is_boolean())
                project.choice.*entry.field = value->get<bool>();
    if (const auto given = document.find("assignments"); given != document.end() && given->is_array())
        for (const json& entry : *given) {
            if (!entry.is_object()) return fault(file, "\"assignments\" must be a list of objects");
            const auto id = entry.find("expression");
            if (id == entry.end() || !id->is_number_unsigned() || id->get<uint64_t>() >= ExprId::kInvalid)
                return fault(file, "an assignment has no \"expression\"");
            project.assignments.push_back({id->get<uint32_t>(), text_of(entry, "name"), text_of(entry, "backend")});
        }
    if (const auto marks = document.find("bookmarks"); marks != document.end() && marks->is_array())
        for (const json& entry : *marks) {
            const auto id = entry.is_object() ? entry.find("expression") : entry.end();
            if (!entry.is_object() || id == entry.end() || !id->is_number_unsigned() || id->get<uint64_t>() >= ExprId::kInvalid)
                return fault(file, "a bookmark has no \"expression\"");
            project.bookmarks.push_back({ExprId(id->get<uint32_t>()), text_of(entry, "name")});
        }
    return project;
}

std::string write_project(const Project& project, const std::string& file) {
    json document = {{"format", "partita"}, {"version", kProjectVersion}};
    document["module"] = relative_path(project.module_path, file);
    document["backends"] = json::array();
    for (const std::string& backend : project.backends)
        document["backends"].push_back(is_builtin(backend) ? backend : relative_path(backend, file));
    for (const Switch& entry : kSwitches) document["flow"][entry.name] = project.choice.*entry.field;
    document["assignments"] = json::array();
    for (const ProjectAssignment& given : project.assignments)
        document["assignments"].push_back({{"expression", given.expression}, {"name", given.name}, {"backend", given.backend}});
    if (!project.bookmarks.empty()) document["bookmarks"] = json::array();
    for (const Bookmark& mark : project.bookmarks)
        document["bookmarks"].push_back({{"expression", mark.expression.value}, {"name", mark.name}});
    return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Project project_of(const FlowChoice& choice, const std::string& module_path, const ExpressionNames& names) {
    Project project;
    project.module_path = module_path;
    project.choice = choice;
    for (const BackendPtr& backend : choice.backends) project.backends.push_back(backend->file.empty() ? backend->name : backend->file);
    for (const auto& [expr, backend] : choice.overrides) project.assignments.push_back({expr.value, names.name(expr), backend});
    project.choice.backends.clear();
    project.choice.overrides.clear();
    return project;
}

std::vector<Bookmark> bookmarks_of(const Project& project, const Module& module, const ExpressionNames& names) {
    std::vector<Bookmark> kept;
    for (const Bookmark& mark : project.bookmarks)
        if (mark.expression.value < module.size() && names.name(mark.expression) == mark.name) kept.push_back(mark);
    return kept;
}

FlowChoice choice_of(const Project& project, const Module& module, const ExpressionNames& names, std::vector<Diagnostic>& notes) {
    FlowChoice choice = project.choice;
    for (const std::string& name : project.backends) {
        Result<BackendDescription> loaded = load_backend(name);
        if (loaded) choice.backends.push_back(std::make_shared<BackendDescription>(std::move(*loaded)));
        else notes.push_back(loaded.error());
    }
    for (const ProjectAssignment& given : project.assignments) {
        const ExprId id(given.expression);
        if (given.expression < module.size() && names.name(id) == given.name) {
            choice.overrides[id] = given.backend;
            continue;
        }
        Diagnostic note = error("the module has no " + given.name + " any more: its assignment to " + given.backend + " is left out");
        note.severity = Severity::Warning;
        notes.push_back(std::move(note));
    }
    return choice;
}

}  // namespace partita
