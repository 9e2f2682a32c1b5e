#include "engine/flow/names.h"

#include <algorithm>
#include <charconv>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/ops/registry.h"
#include "engine/support/natural_order.h"
#include "engine/support/utf8.h"

namespace partita {

namespace {

std::string callee_text(const Module& module, ExprId call) {
    if (const OpRecord* op = called_op_record(module, call)) return op->name;
    ExprId callee = module.callee(call);
    switch (module.kind(callee)) {
        case ExprKind::GlobalVar: return "@" + std::string(module.name(callee));
        case ExprKind::Var: return "%" + std::string(module.name(callee));
        case ExprKind::Function: {
            std::string_view composite = module.function_info(callee).string_attribute("Composite");
            return composite.empty() ? "fn" : std::string(composite);
        }
        default: return "call";
    }
}

std::string beginning(std::string_view name) {
    constexpr size_t kMost = 300;
    return std::string(cut_to_bytes(name, kMost)) + (name.size() > kMost ? "..." : "");
}

/// Whether what stands in front of or behind a slash of a label matches: the node that a call lies in, or its own name
/// in that node.
bool matches_part(std::string_view pattern, std::string_view label) {
    for (size_t slash = label.find('/', 1); slash != std::string_view::npos; slash = label.find('/', slash + 1))
        if (glob_match(pattern, std::string(label.substr(0, slash))) ||
            glob_match(pattern, std::string(label.substr(slash + 1))))
            return true;
    return false;
}

}  // namespace

ExpressionNames::ExpressionNames(const Module& module) : module_(module), numbers_(module.size()) {
    std::vector<ExprId> roots;
    if (ExprId main = module.find_function("main"); main.valid()) roots.push_back(main);
    for (const GlobalFunction& global : module.functions_by_name()) roots.push_back(global.function);
    CompilerNames compilers;
    const MarkReader reader(module, compilers);
    std::vector<ExprId> marks;
    for (ExprId id : post_order(module, roots))
        if (module.kind(id) == ExprKind::Call) (reader.mark(id) == Mark::None ? calls_ : marks).push_back(id);
    calls_.insert(calls_.end(), marks.begin(), marks.end());
    for (size_t i = 0; i < calls_.size(); ++i) numbers_[calls_[i].value] = uint32_t(i + 1);
}

ExprId ExpressionNames::numbered(uint32_t number) const {
    return number >= 1 && number <= calls_.size() ? calls_[number - 1] : ExprId();
}

std::string ExpressionNames::callee(ExprId call) const { return beginning(callee_text(module_, call)); }

/// Marks have no names of their own.
ExprId ExpressionNames::unmarked(ExprId id) const {
    const auto is_mark = [this](ExprId at) {
        const OpRecord* op = module_.kind(at) == ExprKind::Call ? called_op_record(module_, at) : nullptr;
        return op && op->name.starts_with("annotation.compiler_");
    };
    while (is_mark(id)) id = module_.arguments(id)[0];
    return id;
}

std::string ExpressionNames::name(ExprId id) const {
    if (!id.valid() || id.value >= module_.size()) return "";
    std::string text;
    switch (module_.kind(id)) {
        case ExprKind::Var: return "%" + beginning(module_.name(id));
        case ExprKind::GlobalVar: return "@" + beginning(module_.name(id));
        case ExprKind::Constant: return "a constant";
        case ExprKind::Op: return op_registry()[OpId(module_[id].payload)].name;
        case ExprKind::Call: text = callee(id) + " #" + std::to_string(number(id)); break;
        case ExprKind::Tuple: text = "tuple"; break;
        case ExprKind::Projection:
            text =
                "." + std::to_string(module_.projection_index(id)) + " of " + name(unmarked(module_.operands(id)[0]));
            break;
        case ExprKind::Let: text = "let"; break;
        case ExprKind::If: text = "if"; break;
        case ExprKind::Function: text = "fn"; break;
        case ExprKind::RefCreate: text = "ref"; break;
        case ExprKind::RefRead: text = "ref_read"; break;
        case ExprKind::RefWrite: text = "ref_write"; break;
    }
    std::string_view label = module_.label(id);
    return label.empty() ? text : text + " '" + beginning(label) + "'";
}

std::vector<ExprId> ExpressionNames::select(std::string_view selector) const {
    std::vector<ExprId> found;
    std::string_view digits = selector.starts_with('#') ? selector.substr(1) : selector;
    uint32_t number = 0;
    auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (fault == std::errc() && end == digits.data() + digits.size()) {
        if (ExprId id = numbered(number); id.valid()) found.push_back(id);
        return found;
    }
    bool by_name = selector.starts_with("name:");
    if (by_name) selector.remove_prefix(5);
    else if (selector.starts_with("op:")) selector.remove_prefix(3);
    for (ExprId id : calls_)
        if (glob_match(selector, by_name ? std::string(module_.label(id)) : callee_text(module_, id)))
            found.push_back(id);
    if (!found.empty() || !by_name) return found;
    for (ExprId id : calls_)
        if (matches_part(selector, module_.label(id))) found.push_back(id);
    return found;
}

std::vector<std::string> node_names(const Module& module) {
    const ExpressionNames numbered(module);
    std::unordered_map<std::string_view, int> calls_of_label;
    for (ExprId call : numbered.calls()) ++calls_of_label[module.label(call)];
    std::vector<std::string> names(module.size());
    for (ExprId call : numbered.calls()) {
        const std::string_view label = module.label(call);
        names[call.value] = !label.empty() && calls_of_label[label] == 1 ? std::string(label) : numbered.name(call);
    }
    return names;
}

std::vector<GlobalFunction> functions_in_natural_order(const Module& module) {
    std::vector<GlobalFunction> functions(module.functions().begin(), module.functions().end());
    std::sort(functions.begin(), functions.end(),
              [&names = module.names()](const GlobalFunction& a, const GlobalFunction& b) {
                  return natural_less(names.text(a.name), names.text(b.name));
              });
    return functions;
}

std::string expression_name(const Module& module, ExprId id) { return ExpressionNames(module).name(id); }

}  // namespace partita
