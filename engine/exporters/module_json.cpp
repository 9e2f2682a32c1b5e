#include "engine/exporters/module_json.h"

#include <nlohmann/json.hpp>

#include "engine/exporters/exporter.h"
#include "engine/frontends/json/module_reader.h"
#include "engine/ir/json_of.h"
#include "engine/ir/kind_name.h"
#include "engine/ir/traversal.h"
#include "engine/ops/op_named.h"
#include "engine/ops/registry.h"
#include "engine/support/json_stream.h"

namespace partita {
namespace {

using Json = nlohmann::ordered_json;

Json attributes_json(const AttributeDictionary& attributes) {
    Json json = Json::object();
    for (const auto& [key, value] : attributes) json[key.text()] = json_of(value);
    return json;
}

class ModuleWriter {
public:
    explicit ModuleWriter(const Module& module) : module_(module), number_(module.size(), -1) {}

    void write(JsonStream& json) {
        std::vector<GlobalFunction> functions = module_.functions_by_name();
        std::vector<ExprId> roots;
        for (const GlobalFunction& function : functions) roots.push_back(function.function);
        std::vector<ExprId> order = post_order(module_, roots);
        for (size_t i = 0; i < order.size(); ++i) number_[order[i].value] = int64_t(i);
        json.begin_object();
        json.member("format", Json("partita-module"));
        json.member("version", Json(kModuleJsonVersion));
        json.begin_list("functions");
        for (const GlobalFunction& function : functions)
            json.item(Json{{"name", std::string(module_.names().text(function.name))},
                           {"expression", number_[function.function.value]}});
        json.end();
        json.begin_list("expressions");
        for (ExprId id : order) json.item(expression_json(id));
        json.end();
        json.end();
    }

private:
    Json expression_json(ExprId id) const {
        Json json{{"kind", kind_name(module_.kind(id))}};
        if (Json type = json_of(module_.types(), module_.type(id)); !type.is_null()) json["type"] = type;
        if (std::string_view label = module_.label(id); !label.empty()) json["label"] = label;
        switch (module_.kind(id)) {
            case ExprKind::Var:
            case ExprKind::GlobalVar: json["name"] = module_.name(id); break;
            case ExprKind::Op: {
                const OpRecord& op = op_registry()[OpId(module_[id].payload)];
                json["name"] = op.foreign && op_named(op.name) != OpId(module_[id].payload) ? "opaque" : op.name;
                break;
            }
            case ExprKind::Constant: json["data"] = base64_of(module_.constant(id)); break;
            case ExprKind::Projection: json["index"] = module_.projection_index(id); break;
            case ExprKind::Function: json["attributes"] = attributes_json(module_.function_info(id).attributes); break;
            case ExprKind::Call:
                if (called_op_record(module_, id)) json["attributes"] = call_attributes(id);
                break;
            default: break;
        }
        if (module_.operands(id).empty()) return json;
        json["operands"] = Json::array();
        for (ExprId operand : module_.operands(id)) json["operands"].push_back(number_[operand.value]);
        return json;
    }

    Json call_attributes(ExprId call) const {
        Json json = Json::object();
        if (!module_.attributes_id(call).valid()) return json;
        AttributesView view = attributes_of(module_, call);
        for (size_t i = 0; i < view.values().size() && i < view.op().attributes.size(); i++) {
            json[view.op().attributes[i].name] = json_of(view.values()[i]);
        }
        return json;
    }

    const Module& module_;
    std::vector<int64_t> number_;
};

}  // namespace

std::string module_to_json(const Module& module) {
    std::string text;
    JsonStream json([&](std::string_view piece) { text += piece; }, 1, true);
    ModuleWriter(module).write(json);
    return text;
}

Result<std::string> write_json(const ExportSubject& subject) {
    if (Status fits = check_text_of_weights(*subject.module); !fits) return fits.error();
    return module_to_json(*subject.module);
}

}  // namespace partita
