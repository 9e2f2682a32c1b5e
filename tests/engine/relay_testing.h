// Shared by the tests of the Relay parser and printer.
#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "tests/engine/reference_data.h"

namespace partita {

/// Returns the error message of a text; "accepted" if there is none.
inline std::string refusal(std::string_view text, const RelayParseOptions& options = {}) {
    Result<Module> module = parse_relay(text, options);
    return module ? "accepted" : module.error().to_string();
}

/// Returns the typed module of a valid text. Aborts with the message if it is invalid.
inline Module typed_module(std::string_view text) {
    Result<Module> module = parse_relay(text);
    if (!module) qFatal("%s", module.error().to_string().c_str());
    if (Status typed = infer_types(*module); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::move(*module);
}

/// Returns the module of a text with all of @main as one region of a backend.
inline Result<ModulePtr> as_one_region(std::string_view text, const char* backend) {
    Result<Module> parsed = parse_relay(text);
    if (!parsed) return parsed.error();
    Module module = std::move(*parsed);
    if (Status typed = infer_types(module); !typed) return typed.error();
    ExprId main = module.find_function("main");
    module.function_info(main).attributes.push_back({"Compiler", backend});
    module.function_info(main).attributes.push_back({"global_symbol", "whole"});
    std::vector<ExprId> inner(module.parameters(main).begin(), module.parameters(main).end()), parameters;
    for (ExprId parameter : inner)
        parameters.push_back(module.add_var(std::string(module.name(parameter)), module.type(parameter)));
    module.set_function("whole", main);
    ExprId call = module.add_call(module.add_global_var("whole"), std::span<const ExprId>(parameters));
    module.set_function("main", module.add_function(parameters, call));
    if (Status typed = infer_types(module); !typed) return typed.error();
    return ModulePtr(std::make_shared<const Module>(std::move(module)));
}

/// Returns a typed chain of nn.relu. A recursion over the depth of the graph overflows the stack at 300,000.
inline Module relu_chain(int length) {
    Module chain;
    TypeId type = chain.types().tensor(kFloat32, {4});
    ExprId x = chain.add_var("x", type), value = x;
    ExprId relu = chain.add_op(op_registry().find("nn.relu"));
    for (int i = 0; i < length; ++i) value = chain.add_call(relu, {value}, {}, type);
    chain.set_function("main", chain.add_function({{x}}, value));
    if (Status typed = infer_types(chain); !typed) qFatal("%s", typed.error().to_string().c_str());
    return chain;
}

/// Parses a text and prints it, with types if `typed`. Returns the message on error.
inline std::string reprinted(std::string_view text, bool typed = false, const RelayPrintOptions& print = {},
                             const RelayParseOptions& options = {}) {
    Result<Module> module = parse_relay(text, options);
    if (!module) return module.error().to_string();
    if (typed)
        if (Status status = infer_types(*module); !status) return status.error().to_string();
    return print_relay(*module, print);
}

inline QString q(const std::string& text) { return QString::fromStdString(text); }

using testing::reference_folder;

struct ReferenceText {
    std::string name;
    std::string text;
};

/// Returns every Relay text of the reference data: files, and fields of the lines of *.jsonl.
inline std::vector<ReferenceText> reference_texts() {
    std::vector<ReferenceText> texts;
    QDir folder(reference_folder());
    for (const char* name : {"relay-models", "examples"}) {
        QString sub = name;
        for (const QFileInfo& info : QDir(folder.filePath(sub)).entryInfoList({"*.relay"}, QDir::Files, QDir::Name)) {
            QFile file(info.filePath());
            if (file.open(QIODevice::ReadOnly))
                texts.push_back({(sub + "/" + info.fileName()).toStdString(), file.readAll().toStdString()});
        }
    }
    for (const QFileInfo& info : folder.entryInfoList({"*.jsonl"}, QDir::Files, QDir::Name)) {
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        for (int line = 1; !file.atEnd(); ++line) {
            nlohmann::json record = nlohmann::json::parse(file.readLine().toStdString());
            for (const auto& [key, value] : record.items())
                if (value.is_string() && value.get<std::string>().find("def @") != std::string::npos)
                    texts.push_back({info.fileName().toStdString() + ":" + std::to_string(line) + " " + key,
                                     value.get<std::string>()});
        }
    }
    return texts;
}

}  // namespace partita
