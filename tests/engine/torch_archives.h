// Small exported programs for tests, made here: their JSON, and the archives that PyTorch would put them in.
#pragma once

#include <zip.h>

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace partita::testing {

/// Returns the bytes of a zip archive of stored members.
inline std::string stored_zip(const std::vector<std::pair<std::string, std::string>>& members,
                              int method = ZIP_CM_STORE) {
    zip_source_t* whole = zip_source_buffer_create(nullptr, 0, 0, nullptr);
    zip_source_keep(whole);
    zip_t* archive = zip_open_from_source(whole, ZIP_TRUNCATE, nullptr);
    for (const auto& [name, bytes] : members) {
        zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
        const zip_int64_t index = zip_file_add(archive, name.c_str(), source, 0);
        zip_set_file_compression(archive, zip_uint64_t(index), method, 0);
    }
    zip_close(archive);
    zip_source_open(whole);
    zip_source_seek(whole, 0, SEEK_END);
    std::string bytes(size_t(zip_source_tell(whole)), '\0');
    zip_source_seek(whole, 0, SEEK_SET);
    zip_source_read(whole, bytes.data(), bytes.size());
    zip_source_close(whole);
    zip_source_free(whole);
    return bytes;
}

/// Single quotes become double ones.
inline std::string json(std::string text) {
    for (char& letter : text)
        if (letter == '\'') letter = '"';
    return text;
}

inline std::string sizes(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& size : list) {
        const bool is_symbol = size[0] == 's';
        text += (text.empty() ? "" : ",") +
                (is_symbol ? "{'as_expr':{'expr_str':'" + size + "','hint':{'as_int':2}}}" : "{'as_int':" + size + "}");
    }
    return "[" + text + "]";
}
/// A TensorMeta; dtype 7 is float32, 5 int64.
inline std::string meta(const std::vector<std::string>& shape, int dtype = 7,
                        const std::vector<std::string>& strides = {}, const std::string& offset = "0") {
    return "{'dtype':" + std::to_string(dtype) + ",'sizes':" + sizes(shape) + ",'strides':" + sizes(strides) +
           ",'storage_offset':{'as_int':" + offset + "},'requires_grad':false,'layout':7}";
}
inline std::string tensor(const std::string& name) { return "{'as_tensor':{'name':'" + name + "'}}"; }

/// A program in the making: nodes, values, what inputs and outputs are.
struct ExportedProgram {
    std::string inputs, nodes, outputs, values, numbers, input_specs, output_specs;
    std::string version = "{'major':8,'minor':8}", ranges;

    static void add(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }
    ExportedProgram& value(const std::string& name, const std::string& of) {
        add(values, "'" + name + "':" + of);
        return *this;
    }
    ExportedProgram& input(const std::string& name, const std::string& of) {
        add(inputs, tensor(name));
        add(input_specs, "{'user_input':{'arg':" + tensor(name) + "}}");
        return value(name, of);
    }
    ExportedProgram& parameter(const std::string& name, const std::string& path, const std::string& of) {
        add(inputs, tensor(name));
        add(input_specs, "{'parameter':{'arg':{'name':'" + name + "'},'parameter_name':'" + path + "'}}");
        return value(name, of);
    }
    ExportedProgram& output(const std::string& name) {
        add(outputs, tensor(name));
        add(output_specs, "{'user_output':{'arg':" + tensor(name) + "}}");
        return *this;
    }
    /// `arguments` are "name=JSON" with ";" between them; `made` the outputs as JSON.
    ExportedProgram& node(const std::string& name, const std::string& target, const std::string& arguments,
                          const std::string& made, const std::string& module_stack = "") {
        std::string list;
        for (size_t at = 0; at < arguments.size();) {
            const size_t equals = arguments.find('=', at), end = std::min(arguments.find(';', at), arguments.size());
            add(list, "{'name':'" + arguments.substr(at, equals - at) +
                          "','arg':" + arguments.substr(equals + 1, end - equals - 1) + ",'kind':1}");
            at = end + 1;
        }
        add(nodes, "{'name':'" + name + "','target':'" + target + "','inputs':[" + list + "],'outputs':" + made +
                       ",'metadata':{'nn_module_stack':'" + module_stack + "','stack_trace':'File toy.py, line 7'}}");
        return *this;
    }
    std::string text() const {
        return json("{'graph_module':{'graph':{'inputs':[" + inputs + "],'outputs':[" + outputs + "],'nodes':[" +
                    nodes + "],'tensor_values':{" + values + "},'sym_int_values':{" + numbers +
                    "}},'signature':{'input_specs':[" + input_specs + "],'output_specs':[" + output_specs +
                    "]}},'range_constraints':{" + ranges + "},'schema_version':" + version + "}");
    }
    /// The archive of PyTorch 2.9, with the records and the config of its weights.
    std::string pt2(const std::map<std::string, std::string>& records = {}, const std::string& config = "") const {
        std::vector<std::pair<std::string, std::string>> members = {
            {"m/archive_format", "pt2"}, {"m/archive_version", "0"}, {"m/models/model.json", text()}};
        members.emplace_back("m/data/weights/model_weights_config.json", json("{'config':{" + config + "}}"));
        for (const auto& [name, bytes] : records) members.emplace_back("m/data/weights/" + name, bytes);
        return stored_zip(members);
    }
};

inline std::string bytes_of(const std::vector<float>& numbers) {
    std::string bytes(numbers.size() * 4, '\0');
    if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

}  // namespace partita::testing
