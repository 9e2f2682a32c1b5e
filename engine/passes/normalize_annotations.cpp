#include "engine/passes/normalize_annotations.h"

#include "engine/ir/traversal.h"
#include "engine/passes/annotations.h"

namespace partita {

namespace {

class Normalizer {
public:
    explicit Normalizer(const Module& module)
        : from_(module),
          to_(Module::with_tables_of(module)),
          copier_(module, to_),
          reader_(module, names_),
          maker_(to_, names_) {}

    Module run();

private:
    void rewrite(ExprId id);
    void rewrite_mark(ExprId id, Mark mark);
    ExprId tuple_of_ends(ExprId tuple, int32_t compiler);
    void rewrite_let(ExprId id);

    const Module& from_;
    Module to_;
    ModuleCopier copier_;
    CompilerNames names_;
    MarkReader reader_;
    MarkMaker maker_;
};

ExprId Normalizer::tuple_of_ends(ExprId tuple, int32_t compiler) {
    std::span<const ExprId> operands = to_.operands(tuple);
    std::vector<ExprId> fields(operands.begin(), operands.end());
    if (compiler != CompilerNames::kDefault)
        for (ExprId& field : fields) field = maker_.end(field, compiler);
    ExprId flat = to_.add_tuple(fields, to_.type(tuple));
    to_.set_origin(flat, to_.origin(tuple));
    return flat;
}

void Normalizer::rewrite_mark(ExprId id, Mark mark) {
    ExprId operand = copier_.image(reader_.operand(id));
    int32_t compiler = reader_.compiler(id);
    if (mark == Mark::End && to_.kind(operand) == ExprKind::Tuple)
        copier_.set_image(id, tuple_of_ends(operand, compiler));
    else if (compiler == CompilerNames::kDefault) copier_.set_image(id, operand);
    else copier_.copy(id);
}

void Normalizer::rewrite_let(ExprId id) {
    ExprId operands[3];
    for (size_t i = 0; i < 3; ++i) operands[i] = from_.operands(id)[i];
    while (reader_.mark(operands[1]) == Mark::Begin) operands[1] = reader_.operand(operands[1]);
    for (ExprId& operand : operands) operand = copier_.image(operand);
    copier_.set_image(id, to_.add_like(from_, id, operands));
}

void Normalizer::rewrite(ExprId id) {
    if (Mark mark = reader_.mark(id); mark != Mark::None) rewrite_mark(id, mark);
    else if (from_.kind(id) == ExprKind::Let) rewrite_let(id);
    else copier_.copy(id);
}

Module Normalizer::run() {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : from_.functions()) {
        if (is_opaque_function(from_, global.function)) copier_.copy_all(global.function);
        else roots.push_back(global.function);
    }
    std::vector<ExprId> order = post_order(from_, roots);
    to_.reserve(to_.size() + order.size(), order.size() * 2);
    for (ExprId id : order)
        if (!copier_.has(id)) rewrite(id);
    for (const GlobalFunction& global : from_.functions())
        to_.set_function(from_.names().text(global.name), copier_.image(global.function));
    to_.set_typed(from_.typed());
    return std::move(to_);
}

}  // namespace

Module normalize_annotations(const Module& module) { return Normalizer(module).run(); }

}  // namespace partita
