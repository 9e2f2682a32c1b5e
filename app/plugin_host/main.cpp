// partita-plugin-host LIBRARY: the process in which a plug-in runs. Only the runtime starts it (see
// engine/backends/plugin/host_process.h).
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/backends/plugin/partita_plugin.h"
#include "engine/backends/plugin/protocol.h"

namespace {

using namespace partita::plugin;
using nlohmann::json;

/// The C structures of a function, and the data that they point to.
class FunctionHolder {
public:
    FunctionHolder(const json& request, std::byte* memory) : text_(request.at("function").dump()) {
        const json& function = request.at("function");
        name_ = function.at("name");
        for (const json& value : function.at("values")) {
            dtypes_.push_back(value.at("dtype"));
            shapes_.push_back(value.at("shape").get<std::vector<int64_t>>());
            values_.push_back({dtypes_.back().c_str(), int32_t(shapes_.back().size()), shapes_.back().data(), nullptr});
        }
        for (const json& constant : request.at("constants"))
            values_.at(constant.at(0).get<size_t>()).data = memory + constant.at(1).get<size_t>();
        inputs_ = function.at("inputs").get<std::vector<int32_t>>();
        outputs_ = function.at("outputs").get<std::vector<int32_t>>();
        for (const json& step : function.at("steps")) add_step(step);
        input_tensors_ = tensors(inputs_, request.at("inputs"), memory);
        output_tensors_ = tensors(outputs_, request.at("outputs"), memory);
        function_ = {name_.c_str(),           values_.data(),  int32_t(values_.size()),  inputs_.data(),
                     int32_t(inputs_.size()), outputs_.data(), int32_t(outputs_.size()), steps_.data(),
                     int32_t(steps_.size()),  text_.c_str()};
    }

    const partita_function& function() const { return function_; }
    const partita_tensor* inputs() const { return input_tensors_.data(); }
    const partita_tensor* outputs() const { return output_tensors_.data(); }

private:
    void add_step(const json& step) {
        const std::string& op = strings_.emplace_back(step.at("op"));
        const std::string& composite = strings_.emplace_back(step.at("composite"));
        const std::string& attributes = strings_.emplace_back(step.at("attributes").dump());
        const auto& inputs = numbers_.emplace_back(step.at("inputs").get<std::vector<int32_t>>());
        const auto& outputs = numbers_.emplace_back(step.at("outputs").get<std::vector<int32_t>>());
        steps_.push_back({op.c_str(), composite.c_str(), attributes.c_str(), inputs.data(), int32_t(inputs.size()),
                          outputs.data(), int32_t(outputs.size())});
    }

    std::vector<partita_tensor> tensors(const std::vector<int32_t>& values, const json& offsets,
                                        std::byte* memory) const {
        std::vector<partita_tensor> list;
        for (size_t i = 0; i < values.size(); ++i) {
            list.push_back(values_.at(size_t(values[i])));
            list.back().data = memory + offsets.at(i).get<size_t>();
        }
        return list;
    }

    std::string text_, name_;
    // Deques, because their elements keep their addresses.
    std::deque<std::string> dtypes_, strings_;
    std::deque<std::vector<int64_t>> shapes_;
    std::deque<std::vector<int32_t>> numbers_;
    std::vector<partita_tensor> values_, input_tensors_, output_tensors_;
    std::vector<int32_t> inputs_, outputs_;
    std::vector<partita_step> steps_;
    partita_function function_{};
};

class Host {
public:
    explicit Host(const char* library) : library_(library) {}

    int run() {
        Header header{};
        while (receive_all(kSocket, &header, sizeof header)) {
            if (header.length > kLongestMessage) return 2;
            std::string body(header.length, '\0'), message;
            if (!receive_all(kSocket, body.data(), body.size())) return 2;
            bool done = false;
            try {
                done = Request(header.kind) == Request::Compile ? compile(body, message) : execute(message);
            } catch (const std::exception& failure) {
                message = failure.what();
            }
            if (!send_message(kSocket, done ? 0 : 1, message.substr(0, 4096))) break;
        }
        if (region_ && plugin_ && plugin_->release) plugin_->release(region_);
        return 0;
    }

private:
    bool load(std::string& message) {
        void* handle = ::dlopen(library_, RTLD_NOW | RTLD_LOCAL);
        if (!handle) return fail(message, ::dlerror());
        auto entry = reinterpret_cast<const partita_plugin* (*)()>(::dlsym(handle, "partita_plugin_entry"));
        if (!entry) return fail(message, "the library exports no partita_plugin_entry");
        plugin_ = entry();
        if (!plugin_ || !plugin_->compile || !plugin_->run)
            return fail(message, "the library's partita_plugin_entry gives nothing to call");
        if (plugin_->version != PARTITA_PLUGIN_VERSION)
            return fail(message, "the library is for version " + std::to_string(plugin_->version) +
                                     " of the interface, this is version " + std::to_string(PARTITA_PLUGIN_VERSION));
        return true;
    }

    bool compile(const std::string& body, std::string& message) {
        json request = json::parse(body);
        size_t bytes = request.at("bytes");
        void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, kSharedMemory, 0);
        if (memory == MAP_FAILED) return fail(message, "the shared memory can't be mapped");
        holder_ = std::make_unique<FunctionHolder>(request, static_cast<std::byte*>(memory));
        if (!load(message)) return false;
        char text[1024] = "";
        if (plugin_->can_compile && !plugin_->can_compile(&holder_->function(), text, sizeof text))
            return fail(message, refused(text));
        region_ = plugin_->compile(&holder_->function(), text, sizeof text);
        return region_ || fail(message, refused(text));
    }

    bool execute(std::string& message) {
        if (!region_) return fail(message, "nothing was compiled");
        char text[1024] = "";
        if (plugin_->run(region_, holder_->inputs(), holder_->outputs(), text, sizeof text) == 0) return true;
        text[sizeof text - 1] = 0;
        return fail(message, std::string("the plug-in could not run its region: ") + text);
    }

    static std::string refused(char (&text)[1024]) {
        text[sizeof text - 1] = 0;
        return std::string("the plug-in refuses the region: ") + (text[0] ? text : "it gave no reason");
    }
    static bool fail(std::string& message, const std::string& reason) {
        message = reason;
        return false;
    }

    const char* library_;
    const partita_plugin* plugin_ = nullptr;
    partita_region* region_ = nullptr;
    std::unique_ptr<FunctionHolder> holder_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("This program is started by Partita to run a plug-in.\n", stderr);
        return 2;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return Host(argv[1]).run();
}
