// Backends of users: a shared library with the interface of partita_plugin.h, or a command that writes one. The library
// runs in a separate process, with time limits; when it fails, its region runs on `default`. Time limits come from
// PARTITA_PLUGIN_SECONDS (default 60).
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "engine/backends/backends.h"
#include "engine/backends/ccompiler/shared_library.h"
#include "engine/backends/plugin/host_process.h"
#include "engine/backends/plugin/region_json.h"
#include "engine/rules/codegen.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/file.h"
#include "engine/support/hash.h"
#include "engine/support/json_text.h"
#include "engine/support/number_text.h"
#include "engine/support/process.h"

namespace partita {

namespace {

constexpr size_t kAlignment = 64;

/// Returns C source with the interface in place of its `#include "partita_plugin.h"`.
std::string with_header(const std::string& source) {
    constexpr std::string_view kInclude = "#include \"partita_plugin.h\"";
    size_t place = source.find(kInclude);
    if (place == std::string::npos) return source;
    return source.substr(0, place) + std::string(embedded_plugin()[0].text) + source.substr(place + kInclude.size());
}

double time_limit_seconds() {
    const char* given = std::getenv("PARTITA_PLUGIN_SECONDS");
    double seconds = given ? number_at_start(given) : 0;
    return seconds > 0 ? seconds : 60;
}

/// The offset of each tensor in the shared memory.
struct SharedLayout {
    struct Place {
        ValueId value;
        size_t offset, bytes;
    };
    std::vector<Place> inputs, outputs, constants;
    std::vector<int64_t> offset_of;  ///< by value; -1 where it has no place
    size_t bytes = 0;
};

class LayoutPlanner {
public:
    LayoutPlanner(const Module& module, const FlatGraph& graph) : types_(module.types()), graph_(graph) {
        layout_.offset_of.assign(graph.values.size(), -1);
        layout_.bytes = plugin::kGuardBytes;
    }
    SharedLayout run() {
        for (ValueId value : graph_.inputs) layout_.inputs.push_back(place(value));
        for (ValueId value = 0; value < graph_.values.size(); ++value)
            if (graph_.values[value].source == FlatValue::Source::Constant) layout_.constants.push_back(place(value));
        // A result may also be an input or occur twice: each output has a place of its own.
        for (ValueId value : graph_.outputs) layout_.outputs.push_back(place(value));
        return std::move(layout_);
    }

private:
    SharedLayout::Place place(ValueId value) {
        TypeId type = graph_.values[value].type;
        size_t bytes = size_t(element_count(types_.shape(type)).value_or(0)) * types_.dtype(type).bytes();
        SharedLayout::Place made{value, layout_.bytes, bytes};
        layout_.offset_of[value] = int64_t(made.offset);
        layout_.bytes += (bytes + kAlignment - 1) / kAlignment * kAlignment + plugin::kGuardBytes;
        return made;
    }
    const TypeTable& types_;
    const FlatGraph& graph_;
    SharedLayout layout_;
};

class PluginRegion : public CompiledRegion {
public:
    PluginRegion(const Module& module, ExprId function, FlatGraph graph, std::string name,
                 const CompileOptions& options)
        : module_(module), function_(function), graph_(std::move(graph)), name_(std::move(name)), options_(options) {}

    Status prepare(const std::string& library) {
        layout_ = LayoutPlanner(module_, graph_).run();
        Result<std::unique_ptr<plugin::HostProcess>> host = plugin::HostProcess::start(library, layout_.bytes);
        if (!host) return host.error();
        host_ = std::move(*host);
        std::memset(host_->memory(), plugin::kGuardByte, layout_.bytes);
        for (const SharedLayout::Place& place : layout_.constants) {
            const Tensor& value = module_.constant_value(ConstantId(graph_.values[place.value].index));
            std::memcpy(host_->memory() + place.offset, value.bytes(), place.bytes);
        }
        nlohmann::json request{{"function", region_to_json(module_, graph_, name_)}, {"bytes", layout_.bytes}};
        request["constants"] = offsets(layout_.constants, true);
        request["inputs"] = offsets(layout_.inputs, false);
        request["outputs"] = offsets(layout_.outputs, false);
        return host_->ask(plugin::Request::Compile, json_text(request), time_limit_seconds(), options_.cancel);
    }

    Status run(const RegionRun& run) override {
        if (!fallback_) {
            Status done = run_in_process(run);
            if (done || run.cancel.cancelled()) return done;
            if (Status replaced = fall_back(done.error().message); !replaced) return replaced;
        }
        Tensor workspace(kUInt8, {int64_t(fallback_->workspace_bytes())});
        RegionRun inner = run;
        inner.workspace = workspace.bytes();
        return fallback_->run(inner);
    }

    std::vector<std::string> notices() const override { return notices_; }
    bool fell_back() const override { return fallback_ != nullptr; }

private:
    static nlohmann::json offsets(const std::vector<SharedLayout::Place>& places, bool with_value) {
        nlohmann::json list = nlohmann::json::array();
        for (const SharedLayout::Place& place : places) {
            if (with_value) list.push_back({place.value, place.offset});
            else list.push_back(place.offset);
        }
        return list;
    }

    Status run_in_process(const RegionRun& run) {
        using Clock = std::chrono::steady_clock;
        Clock::time_point before = Clock::now();
        auto copied = [&] {
            Clock::time_point now = Clock::now();
            if (!run.op_times) return;
            OpTime& copy = run.op_times->emplace_back();
            copy.milliseconds = std::chrono::duration<double, std::milli>(now - before).count();
            copy.is_copy = true;
        };
        for (size_t i = 0; i < layout_.inputs.size(); ++i)
            std::memcpy(host_->memory() + layout_.inputs[i].offset, run.inputs[i].data, layout_.inputs[i].bytes);
        copied();
        if (Status done = host_->ask(plugin::Request::Run, "", time_limit_seconds(), run.cancel); !done) return done;
        if (!guards_intact()) return error("the plug-in wrote outside its tensors");
        before = Clock::now();
        for (size_t i = 0; i < layout_.outputs.size(); ++i)
            std::memcpy(run.outputs[i].data, host_->memory() + layout_.outputs[i].offset, layout_.outputs[i].bytes);
        copied();
        return Nothing();
    }

    bool guards_intact() const {
        auto intact = [this](size_t begin, size_t end) {
            return std::all_of(host_->memory() + begin, host_->memory() + end,
                               [](std::byte b) { return b == std::byte(plugin::kGuardByte); });
        };
        if (!intact(0, plugin::kGuardBytes)) return false;
        for (const auto* places : {&layout_.inputs, &layout_.constants, &layout_.outputs})
            for (const SharedLayout::Place& place : *places) {
                size_t end = place.offset + place.bytes;
                if (!intact(end, (end + kAlignment - 1) / kAlignment * kAlignment + plugin::kGuardBytes)) return false;
            }
        return true;
    }

    Status fall_back(const std::string& reason) {
        host_.reset();
        Result<std::unique_ptr<CompiledRegion>> compiled =
            make_reference_backend()->compile(module_, function_, options_);
        if (!compiled) return error(reason);
        notices_.push_back(reason);
        fallback_ = std::move(*compiled);
        return Nothing();
    }

    const Module& module_;
    ExprId function_;
    FlatGraph graph_;
    std::string name_;
    CompileOptions options_;
    SharedLayout layout_;
    std::unique_ptr<plugin::HostProcess> host_;
    std::unique_ptr<CompiledRegion> fallback_;
    std::vector<std::string> notices_;
};

class PluginBackend : public Backend {
public:
    explicit PluginBackend(std::string_view codegen) : codegen_(codegen) {}

    std::string_view name() const override { return codegen_; }
    std::string_view summary() const override { return "a backend that the user brought"; }

    Result<std::unique_ptr<CompiledRegion>> compile(const Module& module, ExprId function,
                                                    const CompileOptions& options) override {
        Result<FlatGraph> graph = flat(module, function);
        if (!graph) return graph.error();
        std::string name(module.function_info(function).string_attribute("global_symbol"));
        Result<std::string> library = library_for(region_to_json(module, *graph, name), options);
        if (!library) return library.error();
        auto region = std::make_unique<PluginRegion>(module, function, std::move(*graph), name, options);
        if (Status done = region->prepare(*library); !done) return done.error();
        return std::unique_ptr<CompiledRegion>(std::move(region));
    }

    Result<Listing> list(const Module& module, ExprId function, const CompileOptions&) override {
        const Result<FlatGraph> graph = flat(module, function);
        if (!graph) return graph.error();
        const std::string name(module.function_info(function).string_attribute("global_symbol"));
        return Listing{Listing::Form::Json, json_text(region_to_json(module, *graph, name), 2), {}};
    }

private:
    static Result<FlatGraph> flat(const Module& module, ExprId function) {
        Result<FlatGraph> graph = flatten(module, function, false);
        if (graph && !graph->straight_line) return error("a region with control flow can't be given to a plug-in");
        return graph;
    }

    Result<std::string> library_for(const nlohmann::json& region, const CompileOptions& options) const {
        std::string_view codegen(codegen_);
        if (codegen.starts_with(kLibraryPrefix)) {
            std::string path(codegen.substr(kLibraryPrefix.size()));
            if (Result<std::string> readable = read_file(path); !readable)
                return error("the plug-in " + path + ": " + readable.error().message);
            return path.find('/') == std::string::npos ? "./" + path : path;
        }
        ProcessOptions process;
        std::string input = json_text(region);
        process.input = input;
        process.time_limit_seconds = time_limit_seconds();
        process.cancel = options.cancel;
        std::vector<std::string> arguments = split_arguments(codegen.substr(kCommandPrefix.size()));
        if (arguments.empty()) return error("the codegen \"command:\" names no program");
        Result<ProcessResult> ran = run_process(arguments, process);
        if (!ran) return ran.error();
        if (ran->cancelled) return error("cancelled");
        if (ran->output.size() >= process.output_limit)
            return error("the command '" + arguments[0] + "' wrote more than " +
                         std::to_string(process.output_limit >> 20) + " MB");
        if (ran->output.empty() && ran->exit_status == 0)
            return error("the command '" + arguments[0] + "' wrote nothing");
        if (ran->timed_out)
            return error("the command '" + arguments[0] + "' took longer than " +
                         std::to_string(int(time_limit_seconds())) + " s");
        if (ran->exit_status != 0)
            return error("the command '" + arguments[0] + "' ended with status " + std::to_string(ran->exit_status) +
                         (ran->error_output.empty() ? ", without a message" : ": " + ran->error_output.substr(0, 400)));
        return write_library(ran->output, options);
    }

    /// Writes the command's output to a file: a library as it is, anything else as C source.
    Result<std::string> write_library(const std::string& output, const CompileOptions& options) const {
        LibraryOptions library;
        library.cache_folder = options.cache_folder;
        library.cancel = options.cancel;
        if (!output.starts_with("\x7f"
                                "ELF"))
            return compile_c_to_file(with_header(output), library);
        Result<std::string> folder = user_cache_folder(options.cache_folder);
        if (!folder) return folder.error();
        uint64_t hash = output.size();
        for (char byte : output) hash = hash_combine(hash, uint8_t(byte));
        std::string path = *folder + "/plugin-" + std::to_string(hash) + ".so";
        if (Status written = write_file(path, output); !written) return written.error();
        return path;
    }

    std::string codegen_;
};

}  // namespace

std::unique_ptr<Backend> make_plugin_backend(std::string_view codegen) {
    return std::make_unique<PluginBackend>(codegen);
}

}  // namespace partita
