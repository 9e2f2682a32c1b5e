// The containers of exported programs: PyTorch's three (2.1 to 2.7, 2.8, from 2.9 on), and ExecuTorch's ETRecord.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/frontends/torch/importer.h"
#include "engine/frontends/torch/weights.h"
#include "engine/ir/tensor.h"
#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace torch {

namespace {

/// What the members of a container are called.
struct Parts {
    const Member* program = nullptr;
    std::vector<const Member*> configs, pickles;
    bool of_executorch = false;
    std::vector<std::string> notes;
};

bool is_etrecord_part(std::string_view name) {
    for (std::string_view ending : {"_state_dict", "_constants", "_example_inputs"})
        if (name.ends_with(ending)) return false;
    return true;
}

/// Takes the first of several programs and says which there are.
const Member* first_of(const std::vector<const Member*>& programs, std::vector<std::string>& notes) {
    if (programs.empty()) return nullptr;
    std::string others;
    for (size_t i = 1; i < programs.size(); ++i) others += (i > 1 ? ", " : "") + in_quotes(programs[i]->name);
    if (!others.empty())
        notes.push_back("the file holds several programs: " + in_quotes(programs[0]->name) + " is shown, not " +
                        others);
    return programs[0];
}

class Container {
public:
    explicit Container(const Archive& archive) : archive_(archive) {
        for (const Member& member : archive.members())
            if (member.name.ends_with("/archive_format") &&
                std::count(member.name.begin(), member.name.end(), '/') == 1)
                root_ = member.name.substr(0, member.name.size() - 14);
    }

    Parts parts() {
        const bool is_etrecord = archive_.find("ETRECORD_V0") || !starting("edge_dialect_exported_program").empty();
        if (is_etrecord) return etrecord();
        if (const Member* program = archive_.find("serialized_exported_program.json")) return legacy(program);
        return pt2();
    }

private:
    std::vector<const Member*> starting(std::string_view begin) const {
        std::vector<const Member*> found;
        for (const Member& member : archive_.members())
            if (member.name.starts_with(begin)) found.push_back(&member);
        return found;
    }

    Parts etrecord() {
        Parts parts;
        parts.of_executorch = true;
        if (!archive_.find("ETRECORD_V0"))
            parts.notes.push_back("the record ETRECORD_V0 is missing: ExecuTorch would refuse the file");
        std::vector<const Member*> programs;
        for (std::string_view begin : {"edge_dialect_exported_program", "exported_program"}) {
            for (const Member* member : starting(begin))
                if (is_etrecord_part(member->name)) programs.push_back(member);
            if (!programs.empty()) break;
        }
        std::stable_partition(programs.begin(), programs.end(),
                              [](const Member* member) { return member->name.ends_with("/forward"); });
        parts.program = first_of(programs, parts.notes);
        if (!parts.program) throw Refused{"no exported program is in this ETRecord"};
        for (const char* ending : {"_state_dict", "_constants"})
            if (const Member* member = archive_.find(parts.program->name + ending)) parts.pickles.push_back(member);
        return parts;
    }

    Parts legacy(const Member* program) {
        Parts parts;
        parts.program = program;
        if (const Member* version = archive_.find("version")) {
            const Result<std::string> text = archive_.read(*version);
            const bool is_number =
                text && !text->empty() && std::all_of(text->begin(), text->end(), [](unsigned char c) {
                    return std::isdigit(c) || c == '.' || std::isspace(c);
                });
            if (!is_number) parts.notes.push_back("the record 'version' is no version: that of the program counts");
        }
        for (const char* name : {"serialized_state_dict.pt", "serialized_constants.pt"})
            if (const Member* member = archive_.find(name)) parts.pickles.push_back(member);
        return parts;
    }

    Parts pt2() {
        Parts parts;
        const std::string models = root_ + "models/";
        std::vector<const Member*> programs;
        for (const Member* member : starting(models))
            if (member->name.ends_with(".json")) programs.push_back(member);
        std::stable_partition(programs.begin(), programs.end(),
                              [&](const Member* member) { return member->name == models + "model.json"; });
        parts.program = first_of(programs, parts.notes);
        if (!parts.program)
            throw Refused{starting(root_ + "data/aotinductor").empty()
                              ? "no exported program is in this archive: it has no models/*.json"
                              : "no exported program is in this archive, only what AOTInductor compiled of one"};
        if (const Member* version = archive_.find(root_ + "archive_version")) {
            const Result<std::string> text = archive_.read(*version);
            if (!text) throw Refused{text.error().message};
            if (*text != "0") throw Refused{"the archive is of version " + in_quotes(*text) + "; known is '0'"};
        }
        const size_t begin = models.size(), length = parts.program->name.size() - begin - 5;
        const std::string name = parts.program->name.substr(begin, length);
        for (const std::string kind : {"weights", "constants"}) {
            const std::string folder = root_ + "data/" + kind + "/";
            if (const Member* config = archive_.find(folder + name + "_" + kind + "_config.json"))
                parts.configs.push_back(config);
            if (const Member* pickle = archive_.find(folder + name + ".pt")) parts.pickles.push_back(pickle);
        }
        return parts;
    }

    const Archive& archive_;
    std::string root_;
};

/// What an ETRecord says of the run of its program: which instruction a node became, in which delegate, and what it is
/// called in there. Joined by handles (ExecuTorch's _inspector.py).
class RunMaps {
public:
    RunMaps(const Archive& archive, std::string_view method) {
        for_each(archive, "debug_handle_map", method, [&](int64_t instruction, const JsonValue& handles) {
            for_each_handle(handles, [&](int64_t handle) { places_[handle].instruction = instruction; });
        });
        for_each(archive, "delegate_map", method, [&](int64_t instruction, const JsonValue& delegate) {
            const JsonValue *name = delegate.member("name"), *ids = delegate.member("delegate_map");
            if (!name || !ids) return;
            for (auto& [handle, place] : places_)
                if (place.instruction == instruction) place.delegate = name->text;
            for (const JsonMember& id : ids->members)
                for_each_handle(id.value, [&](int64_t handle) { places_[handle].ids.push_back(id.key); });
        });
    }

    /// Adds to what is known of each node.
    void note(partita::Graph& graph) const {
        for (PlainNode& node : graph.nodes) {
            const size_t at = node.attributes.find("\"debug_handle\": \"");
            if (at == std::string::npos) continue;
            const auto place = places_.find(std::strtoll(node.attributes.c_str() + at + 17, nullptr, 10));
            if (place == places_.end() || place->second.instruction < 0) continue;
            nlohmann::ordered_json said{{"instruction", place->second.instruction}};
            if (!place->second.delegate.empty()) said["delegate"] = place->second.delegate;
            if (!place->second.ids.empty()) said["delegate_ids"] = place->second.ids;
            node.attributes.back() = ',';
            node.attributes += json_text(said).substr(1);
        }
    }

    std::vector<std::string> warnings;

private:
    struct Place {
        int64_t instruction = -1;
        std::string delegate;
        std::vector<std::string> ids;
    };

    template <class Each>
    void for_each(const Archive& archive, const char* name, std::string_view method, Each each) {
        const Member* member = archive.find(name);
        if (!member) return;
        Result<std::string> text = archive.read(*member);
        const Result<JsonValue> json = text ? read_python_json(*text) : Result<JsonValue>(text.error());
        const JsonValue* of_method = json ? json->member(method) : nullptr;
        const bool is_empty = json && json->is(JsonValue::Kind::Object) && json->members.empty();
        if (!is_empty && (!of_method || !of_method->is(JsonValue::Kind::Object)))
            warnings.push_back("the record " + in_quotes(name) + " says nothing of the method " + in_quotes(method) +
                               ": times can't be joined by it");
        if (!of_method) return;
        for (const JsonMember& entry : of_method->members) {
            int64_t instruction = -1;
            std::from_chars(entry.key.data(), entry.key.data() + entry.key.size(), instruction);
            if (instruction >= 0) each(instruction, entry.value);
        }
    }
    template <class Each>
    static void for_each_handle(const JsonValue& handles, Each each) {
        if (handles.is(JsonValue::Kind::Number)) each(whole(handles));
        for (const JsonValue& item : handles.items)
            if (item.is(JsonValue::Kind::Number)) each(whole(item));
    }

    std::map<int64_t, Place> places_;  ///< by handle
};

TorchImport import_archive(const Archive& archive, const TorchOptions& options) {
    const Parts parts = Container(archive).parts();
    Result<std::string> text = archive.read(*parts.program);
    if (!text) throw Refused{text.error().message};
    const Result<std::unique_ptr<const Program>> program = read_program(std::move(*text), parts.of_executorch);
    if (!program) throw Refused{on_one_line(parts.program->name) + ": " + program.error().to_string()};
    Weights weights(archive);
    std::vector<std::string> warnings = parts.notes;
    for (const Member* config : parts.configs)
        if (Status added = weights.add_config(*config); !added) warnings.push_back(added.error().message);
    for (const Member* pickle : parts.pickles)
        if (Status added = weights.add_pickle(*pickle); !added) warnings.push_back(added.error().message);
    const std::string& file = archive.file()->path();
    TorchImport made = import_program(**program, weights, file, archive.file()->size(), parts.of_executorch, options);
    if (parts.of_executorch) {
        const size_t slash = parts.program->name.find('/');
        RunMaps maps(archive, slash == std::string::npos ? "forward" : parts.program->name.substr(slash + 1));
        auto noted = std::make_shared<partita::Graph>(*made.graph);
        maps.note(*noted);
        made.graph = std::move(noted);
        warnings.insert(warnings.end(), maps.warnings.begin(), maps.warnings.end());
    }
    for (std::string& warning : warnings) made.notes.push_back({Severity::Warning, file, {}, std::move(warning)});
    return made;
}

}  // namespace

}  // namespace torch

Result<TorchImport> import_torch(const std::shared_ptr<const SourceFile>& file, const TorchOptions& options) {
    const auto refused = [&](const std::string& message) {
        Diagnostic diagnostic = error(message);
        diagnostic.file = file->path();
        return diagnostic;
    };
    try {
        const Result<torch::Archive> archive = torch::Archive::open(file);
        if (!archive) return refused(archive.error().message);
        return torch::import_archive(*archive, options);
    } catch (const torch::Refused& fault) {
        return refused(fault.message);
    } catch (const DataLost& lost) {
        return refused(lost.what());
    } catch (const std::bad_alloc&) {
        return refused("the program needs more memory than there is");
    }
}

bool looks_like_zip(std::string_view bytes) { return bytes.starts_with("PK\3\4") || bytes.starts_with("PK\5\6"); }

}  // namespace partita
