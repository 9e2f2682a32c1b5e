// The C bundle: a folder that builds with any C11 compiler and computes what the module computes, without Partita.
//
//     model.h            the functions, and the tensors they read and write
//     model.c            what stays on `default`, and the calls of the regions, in order
//     region_N.c         one function for each sub-function
//     weights.c/.bin     the constants of the module
//     main.c example.h npy.h CMakeLists.txt README.md
//
// The program chooses file names and identifiers; names of the module occur in string literals and in the README only.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "engine/backends/ccompiler/c_source.h"
#include "engine/exporters/exporter.h"
#include "engine/exporters/picture.h"
#include "engine/program/parameters.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/number_text.h"

namespace partita {
namespace {

constexpr size_t kAlignment = 64;
/// With more regions than this, all share one file.
constexpr size_t kMostRegionFiles = 200;
/// Longer input names are replaced by their number.
constexpr size_t kLongestName = 1000;
constexpr const char* kSignature =
    "(const void *const *inputs, void *const *outputs, const unsigned char *weights, unsigned char *memory)";

size_t rounded_up(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

/// Returns text for the inside of a C string literal: unsafe characters become three octal digits.
std::string c_text(std::string_view text) {
    std::string result;
    for (unsigned char letter : text) {
        bool plain = letter < 0x80 && (std::isalnum(letter) || std::strchr(" _.,:<|()-+[]", letter)) && letter;
        if (plain) {
            result += char(letter);
            continue;
        }
        char octal[8];
        std::snprintf(octal, sizeof octal, "\\%03o", unsigned(letter));
        result += octal;
    }
    return result;
}

uint64_t hash_bytes(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ULL;
    return hash;
}

std::string descr_of(DataType dtype) {
    if (dtype.is_bool()) return "|b1";
    char kind = dtype.is_float() ? 'f' : dtype.code == DataType::Code::Int ? 'i' : 'u';
    return (dtype.bits == 8 ? "|" : "<") + std::string(1, kind) + std::to_string(dtype.bits / 8);
}

class BundleWriter {
public:
    explicit BundleWriter(const ExportSubject& subject)
        : subject_(subject), module_(*subject.module), types_(module_.types()) {}

    Result<std::vector<ExportFile>> run() {
        main_ = module_.find_function("main");
        if (!main_.valid()) return error("the module has no function @main");
        Result<FlatGraph> graph = flatten(module_, main_, true);
        if (!graph) return graph.error();
        if (!graph->straight_line) return no_control_flow("@main");
        graph_ = std::move(*graph);
        if (Status written = write_regions(); !written) return written.error();
        if (Status written = write_main_function(); !written) return written.error();
        name_inputs();
        files_.push_back({"model.h", header()});
        files_.push_back({"weights.bin", weights_file()});
        for (const EmbeddedText& text : embedded_c_bundle())
            files_.push_back({std::string(text.name), std::string(text.text)});
        files_.push_back({"example.h", examples()});
        files_.push_back({"CMakeLists.txt", cmake()});
        files_.push_back({"README.md", readme()});
        return std::move(files_);
    }

private:
    static Diagnostic no_control_flow(const std::string& where) {
        return error(where + " has control flow, references or functions as values: these can't be written in C");
    }

    size_t weight_offset(ConstantId constant) {
        auto [entry, added] = weight_offsets_.try_emplace(constant, weight_bytes_);
        if (added) {
            weights_.push_back(constant);
            weight_bytes_ += rounded_up(module_.constant_value(constant).byte_size());
        }
        return entry->second;
    }

    Result<CSource> write_function(const FlatGraph& graph, const std::string& name) {
        CStandalone form;
        form.name = name;
        form.weight_offset = [this](ConstantId constant) { return weight_offset(constant); };
        form.callee = [this](ExprId function) { return callees_.at(function); };
        return write_standalone_c(module_, graph, form);
    }

    /// Writes a function for each sub-function that @main calls.
    Status write_regions() {
        std::vector<ExprId> functions;
        for (const FlatStep& step : graph_.steps)
            if (!step.op.valid() && callees_.try_emplace(step.function).second) functions.push_back(step.function);
        bool one_file = functions.size() > kMostRegionFiles;
        std::string all;
        for (size_t i = 0; i < functions.size(); ++i) {
            if (subject_.cancel.cancelled()) return error("cancelled");
            ExprId function = functions[i];
            Result<FlatGraph> graph = flatten(module_, function, false);
            if (!graph) return graph.error();
            std::string symbol(module_.function_info(function).string_attribute("global_symbol"));
            if (!graph->straight_line) return no_control_flow("the sub-function " + symbol);
            std::string name = "model_region_" + std::to_string(i + 1);
            Result<CSource> source = write_function(*graph, name);
            if (!source) return source.error();
            callees_[function] = {name, rounded_up(source->workspace_bytes)};
            region_rows_ += "| " + std::to_string(i + 1) + " | " + markdown_text(symbol) + " | " +
                            markdown_text(module_.function_info(function).string_attribute("Compiler")) + " | " +
                            std::to_string(graph->steps.size()) + " |\n";
            declarations_ += "int " + name + kSignature + ";\n";
            if (one_file) all += source->text + "\n";
            else
                add_source("region_" + std::to_string(i + 1) + ".c", "A region of the module: " + name + ".",
                           source->text);
        }
        if (one_file) add_source("regions.c", "The regions of the module.", all);
        return Nothing();
    }

    Status write_main_function() {
        Result<CSource> source = write_function(graph_, "model_main");
        if (!source) return source.error();
        workspace_bytes_ = rounded_up(source->workspace_bytes);
        std::string text = source->text +
                           "\nint model_run(const void *const *inputs, void *const *outputs, const unsigned char "
                           "*weights, void *workspace)\n"
                           "{\n    return model_main(inputs, outputs, weights, workspace);\n}\n";
        // The function itself is not part of the interface.
        size_t at = text.find("int model_main(");
        text.insert(at, "static ");
        add_source("model.c", "The module: what stays on `default`, and the calls of its regions.",
                   tensor_table("model_inputs", graph_.inputs, true) +
                       tensor_table("model_outputs", graph_.outputs, false) + text,
                   declarations_);
        return Nothing();
    }

    void add_source(const std::string& name, const std::string& what, const std::string& text,
                    const std::string& declarations = {}) {
        sources_.push_back(name);
        files_.push_back(
            {name, "/* " + what +
                       " Written by Partita. */\n#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n"
                       "#include \"model.h\"\n\n" +
                       declarations + (declarations.empty() ? "" : "\n") + text});
    }

    std::string input_name(size_t number) const {
        const std::string& name = graph_.input_names[number];
        bool usable = !name.empty() && name.size() <= kLongestName && name.find('\0') == std::string::npos;
        return usable ? name : "input_" + std::to_string(number);
    }

    void name_inputs() {
        for (size_t i = 0; i < graph_.inputs.size(); ++i) input_rows_ += tensor_row(i, input_name(i), graph_.inputs[i]);
        for (size_t i = 0; i < graph_.outputs.size(); ++i) output_rows_ += tensor_row(i, "", graph_.outputs[i]);
    }

    std::string tensor_row(size_t number, const std::string& name, ValueId value) const {
        TypeId type = graph_.values[value].type;
        return "| " + std::to_string(number) + " | " + markdown_text(name) + " | " + types_.dtype(type).to_string() +
               " | " + markdown_text(shape_to_string(types_.shape(type))) + " |\n";
    }

    std::string tensor_table(const std::string& name, const std::vector<ValueId>& values, bool inputs) const {
        std::string text = "const model_tensor " + name + "[] = {\n";
        for (size_t i = 0; i < values.size(); ++i) {
            TypeId type = graph_.values[values[i]].type;
            std::span<const int64_t> shape = types_.shape(type);
            int64_t count = element_count(shape).value_or(0);
            std::string dims;
            for (int64_t dim : shape) dims += (dims.empty() ? "" : ", ") + std::to_string(dim);
            text += "    {\"" + (inputs ? c_text(input_name(i)) : "output_" + std::to_string(i)) + "\", \"" +
                    descr_of(types_.dtype(type)) + "\", " + std::to_string(shape.size()) + ", {" +
                    (dims.empty() ? "0" : dims) + "}, " + std::to_string(count) + ", " +
                    std::to_string(size_t(count) * types_.dtype(type).bytes()) + "},\n";
        }
        if (values.empty()) text += "    {\"\", \"\", 0, {0}, 0, 0},\n";
        return text + "};\n\n";
    }

    size_t largest_rank() const {
        size_t rank = 1;
        for (const std::vector<ValueId>* list : {&graph_.inputs, &graph_.outputs})
            for (ValueId value : *list) rank = std::max(rank, types_.shape(graph_.values[value].type).size());
        return rank;
    }

    std::string header() const {
        auto define = [](const char* name, size_t value) {
            return "#define " + std::string(name) + " " + std::to_string(value) + "\n";
        };
        return "/* A neural network as C. Written by Partita.\n\n"
               "   model_run may be called from several threads, each with outputs and a workspace of its own. */\n"
               "#ifndef MODEL_H\n#define MODEL_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
               "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" +
               define("MODEL_INPUTS", graph_.inputs.size()) + define("MODEL_OUTPUTS", graph_.outputs.size()) +
               define("MODEL_WEIGHT_BYTES", weight_bytes_) + define("MODEL_WORKSPACE_BYTES", workspace_bytes_) +
               define("MODEL_LARGEST_RANK", largest_rank()) +
               "\ntypedef struct model_tensor {\n"
               "    const char *name;\n"
               "    const char *descr; /* the type of an element, as NumPy writes it: \"<f4\" is a float */\n"
               "    int rank;\n"
               "    int64_t shape[MODEL_LARGEST_RANK];\n"
               "    size_t elements;\n"
               "    size_t bytes;\n"
               "} model_tensor;\n\n"
               "/* In the order of the parameters of @main; tuples are taken apart. */\n"
               "extern const model_tensor model_inputs[];\nextern const model_tensor model_outputs[];\n\n"
               "/* The weights of this module from weights.bin, or NULL; to be freed with free(). */\n"
               "unsigned char *model_load_weights(const char *path);\n\n"
               "/* Computes the outputs. Tensors are dense and row-major; `workspace` has MODEL_WORKSPACE_BYTES, "
               "aligned to 64.\n"
               "   Returns 0; another value where an index that the module reads from a tensor is out of range, or an "
               "integer is divided\n"
               "   by zero: the outputs are then not complete. */\n"
               "int model_run(const void *const *inputs, void *const *outputs, const unsigned char *weights, void "
               "*workspace);\n\n"
               "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    }

    std::string weights_file() const {
        std::string bytes(kAlignment, '\0');
        bytes.reserve(kAlignment + weight_bytes_);
        for (ConstantId constant : weights_) {
            const Tensor& tensor = module_.constant_value(constant);
            const std::shared_ptr<const void> lent = tensor.lent_bytes();
            bytes.append(static_cast<const char*>(lent.get()), tensor.byte_size());
            bytes.resize(rounded_up(bytes.size()), '\0');
        }
        uint64_t size = weight_bytes_, hash = hash_bytes(std::string_view(bytes).substr(kAlignment));
        std::memcpy(bytes.data(), "PARTITAW", 8);
        std::memcpy(bytes.data() + 8, &size, 8);
        std::memcpy(bytes.data() + 16, &hash, 8);
        return bytes;
    }

    /// Returns the ranges from which the program draws example inputs.
    std::string examples() const {
        std::string text =
            "/* The distributions of the inputs that main.c generates: n = normal, r = uniform, w = uniform whole "
            "numbers. */\n"
            "#ifndef EXAMPLE_H\n#define EXAMPLE_H\n\n"
            "typedef struct example_range {\n    char kind;\n    double low, high;\n} example_range;\n\n"
            "static const example_range example_ranges[] = {\n";
        Result<FlatGraph> written_out = flatten(module_, main_, false);
        std::vector<Parameter> parameters;
        if (written_out && written_out->straight_line) parameters = classify_parameters(module_, main_, *written_out);
        for (size_t i = 0; i < graph_.inputs.size(); ++i) {
            Parameter parameter = i < parameters.size() ? parameters[i] : Parameter();
            ValueRange range = value_range(parameter, types_.dtype(graph_.values[graph_.inputs[i]].type));
            char kind = range.kind == ValueRange::Kind::Normal ? 'n' : range.kind == ValueRange::Kind::Real ? 'r' : 'w';
            text +=
                std::string("    {'") + kind + "', " + exact_text(range.low) + ", " + exact_text(range.high) + "},\n";
        }
        if (graph_.inputs.empty()) text += "    {'n', 0, 0},\n";
        return text + "};\n\n#endif\n";
    }

    std::string cmake() const {
        std::string list;
        for (const std::string& source : sources_) list += " " + source;
        return "# Builds the library `model` and the program `model_run` beside its weights.\n"
               "cmake_minimum_required(VERSION 3.10)\nproject(model C)\n\n"
               "set(CMAKE_C_STANDARD 11)\nset(CMAKE_C_STANDARD_REQUIRED ON)\nset(CMAKE_C_EXTENSIONS OFF)\n"
               "if(NOT CMAKE_BUILD_TYPE)\n  set(CMAKE_BUILD_TYPE Release)\nendif()\n\n"
               "option(MODEL_OPENMP \"Share loops among threads\" OFF)\n"
               "option(MODEL_NATIVE \"Use all instructions of this processor: 3 to 18 times as fast\" OFF)\n"
               "if(MODEL_NATIVE)\n  add_compile_options(-march=native)\nendif()\n\n"
               "add_library(model STATIC weights.c" +
               list +
               ")\n"
               "target_include_directories(model PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\n"
               "if(UNIX)\n  target_link_libraries(model PUBLIC m)\nendif()\n"
               "if(MODEL_OPENMP)\n  find_package(OpenMP REQUIRED COMPONENTS C)\n  target_link_libraries(model PUBLIC "
               "OpenMP::OpenMP_C)\nendif()\n\n"
               "add_executable(model_run main.c)\ntarget_link_libraries(model_run PRIVATE model)\n"
               "configure_file(weights.bin ${CMAKE_CURRENT_BINARY_DIR}/weights.bin COPYONLY)\n";
    }

    std::string readme() const {
        std::string regions =
            region_rows_.empty()
                ? "There are no regions: all of it stands in `model.c`.\n"
                : "| `region_N.c` | sub-function | backend | operators |\n| --- | --- | --- | --- |\n" + region_rows_;
        return "# " + markdown_text(subject_.title) +
               " as C\n\nWritten by Partita. It needs a C11 compiler with vector extensions (gcc, clang) and nothing "
               "else:\n\n"
               "```\ncmake -B build -DMODEL_NATIVE=ON && cmake --build build\ncd build && ./model_run --output-dir "
               ".\n```\n\n"
               "or `cc -std=c11 -O3 -march=native *.c -lm -o model_run`. Leave out `MODEL_NATIVE` and `-march=native` "
               "for "
               "a program that\n"
               "other processors run, too, or name theirs: `-march=x86-64-v3`. Without either, one thread took 741 ms "
               "instead of 69 for\n"
               "MobileNetV2, 3565 instead of 195 for ResNet-18, 48 instead of 18 for a small BERT.\n\n"
               "`model.h` is the interface for programs of your own. Weights are little-endian. With "
               "`-DMODEL_OPENMP=ON` loops are shared among threads.\n\n"
               "`./model_run` makes up inputs as `partita-cli run --seed 0` does; `NAME=FILE.npy` gives one. Where an "
               "index in a tensor is\n"
               "out of range, or an integer is divided by zero, it says so and ends with status 1; `model_run()` "
               "returns another value than 0.\n\n"
               "| input | name | type | shape |\n| --- | --- | --- | --- |\n" +
               input_rows_ + "\n| output | | type | shape |\n| --- | --- | --- | --- |\n" + output_rows_ + "\n" +
               regions;
    }

    const ExportSubject& subject_;
    const Module& module_;
    const TypeTable& types_;
    ExprId main_;
    FlatGraph graph_;
    std::unordered_map<ExprId, CStandalone::Callee> callees_;
    std::unordered_map<ConstantId, size_t> weight_offsets_;
    std::vector<ConstantId> weights_;
    size_t weight_bytes_ = 0, workspace_bytes_ = 0;
    std::string declarations_, input_rows_, output_rows_, region_rows_;
    std::vector<std::string> sources_;
    std::vector<ExportFile> files_;
};

}  // namespace

Result<std::vector<ExportFile>> write_c_bundle(const ExportSubject& subject) {
    if (!subject.module->typed()) return error("a module without types can't be written in C");
    return BundleWriter(subject).run();
}

}  // namespace partita
