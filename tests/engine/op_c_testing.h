// Compiles generated C with the system's compiler (warnings are errors, undefined behaviour traps) and calls it.
#pragma once

#include <QProcess>
#include <QTemporaryDir>

#include <fstream>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "engine/ops/c_helpers.h"
#include "engine/ops/c_text.h"
#include "tests/engine/op_testing.h"

namespace partita::testing {

class GeneratedLibrary {
public:
    using Function = int (*)(const void* const* in, void* const* out, long count);

    ~GeneratedLibrary() {
        if (handle_) dlclose(handle_);
    }

    /// Adds a function `int NAME(const void* const* in, void* const* out, long count)` with this body. Returns its
    /// name.
    std::string add(const std::string& body) {
        std::string name = "generated_" + std::to_string(count_++);
        text_ += "int " + name +
                 "(const void* const* in, void* const* out, long count) {\n    (void)in; (void)out; (void)count;\n" +
                 body + "    return 0;\n}\n";
        return name;
    }

    /// Compiles the functions. Returns the compiler's messages, or "" on success.
    std::string compile() {
        std::string source = folder_.filePath("ops.c").toStdString();
        std::string library = folder_.filePath("ops.so").toStdString();
        std::ofstream(source) << "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n"
                              << c_helpers(text_) << text_;
        QProcess compiler;
        compiler.start(
            "cc", {"-std=c11", "-O1", "-ffp-contract=off", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error",
                   "-Wall", "-Wextra", "-Werror", "-Wno-missing-prototypes", "-shared", "-fPIC", "-o",
                   QString::fromStdString(library), QString::fromStdString(source), "-lm"});
        if (!compiler.waitForFinished(300000)) return "the compiler did not finish";
        if (compiler.exitCode() != 0) return compiler.readAllStandardError().left(3000).toStdString();
        handle_ = dlopen(library.c_str(), RTLD_NOW);
        return handle_ ? "" : dlerror();
    }

    Function function(const std::string& name) const {
        return reinterpret_cast<Function>(dlsym(handle_, name.c_str()));
    }

private:
    QTemporaryDir folder_;
    std::string text_;
    int count_ = 0;
    void* handle_ = nullptr;
};

/// Compiles an op's C loops into a library of their own and runs them on the arguments, or returns why there are none.
inline Result<std::vector<Tensor>> run_op_in_c(const std::string& name, const std::vector<Argument>& arguments,
                                               const NamedAttributes& given = {}) {
    auto expected = run_op(name, arguments, given);
    if (!expected) return expected;
    const OpRecord& op = op_registry()[op_registry().find(name)];
    if (!op.c_loops) return error(name + " has no loops in C");
    std::vector<CTensor> inputs, outputs;
    std::vector<const void*> in;
    std::vector<void*> out;
    std::string body;
    auto declare = [&](const std::string& tensor, const std::string& array, size_t index, DataType dtype,
                       bool constant) {
        std::string type = (constant ? "const " : "") + c_type(dtype) + "*";
        body += "    " + type + " " + tensor + " = (" + type + ")" + array + "[" + std::to_string(index) + "]; (void)" +
                tensor + ";\n";
    };
    for (const Argument& argument : arguments)
        for (const Tensor& tensor : argument.tensors) {
            inputs.push_back({"x" + std::to_string(inputs.size()), tensor.dtype(), tensor.shape()});
            declare(inputs.back().name, "in", in.size(), tensor.dtype(), true);
            in.push_back(tensor.bytes());
        }
    std::vector<Tensor> results;
    results.reserve(expected->size());
    for (const Tensor& tensor : *expected) {
        results.emplace_back(tensor.dtype(), tensor.shape());
        outputs.push_back({"y" + std::to_string(outputs.size()), tensor.dtype(), results.back().shape()});
        declare(outputs.back().name, "out", out.size(), tensor.dtype(), false);
        out.push_back(results.back().bytes());
    }
    AttributeList attributes = attributes_for(op, given);
    Status status = op.c_loops({inputs, outputs, AttributesView(op, attributes), body, 1});
    if (!status) return status.error();
    GeneratedLibrary library;
    std::string function = library.add(body);
    if (std::string said = library.compile(); !said.empty()) return error(said + "\n" + body);
    if (library.function(function)(in.data(), out.data(), 0) != 0) return error(name + " refuses its operands in C");
    return results;
}

}  // namespace partita::testing
