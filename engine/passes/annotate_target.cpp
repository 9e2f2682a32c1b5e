#include "engine/passes/annotate_target.h"

#include <algorithm>
#include <memory>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/support/large_memory.h"

namespace partita {

namespace {

constexpr int16_t kNoTarget = -1;  ///< the expression has no target: it gets no marks

/// Rewrites a module in graph order, operands first. `target_` holds the compilers of the new module's expressions.
class TargetAnnotator {
public:
    TargetAnnotator(const Module& module, const Placement& placement, const AnnotateOptions& options, DecisionLog* log)
        : from_(module), placement_(placement), options_(options), log_(log), to_(Module::with_tables_of(module)),
          copier_(module, to_), reader_(module, names_), composite_(module.size()) {
        for (const std::string& backend : placement.backends)
            backend_numbers_.push_back(int16_t(names_.number(backend)));
    }

    Result<Module> run();

private:
    void find_composites(std::span<const ExprId> order);
    void reserve(std::span<const ExprId> order);
    void rewrite(ExprId id);
    void rewrite_call(ExprId id);
    void rewrite_grouping(ExprId id);
    void rewrite_let(ExprId id);
    void rewrite_ends_of_all(ExprId id, size_t first);

    /// Puts ends and begins around `operands_` (from `first` on) for a user that goes to `target`; if that is
    /// kNoTarget, to the compiler that all operands go to. Returns the user's compiler; kNoTarget if there is no
    /// operand.
    int16_t annotate_operands(size_t first, int16_t target);
    /// Puts an end around a value that leaves the regions: a function's result, a branch, an operand of a non-call.
    ExprId with_end(ExprId value);

    int16_t target(ExprId made) const { return made.value < target_.size() ? target_[made.value] : kNoTarget; }
    void set_target(ExprId made, int16_t target) {
        if (made.value >= target_.size())
            target_.resize(std::max<size_t>(made.value + 1, target_.size() * 3 / 2), kNoTarget);
        target_[made.value] = target;
    }
    /// Recognizes marks in the new module by the expression of their op.
    bool is_mark(ExprId made, ExprId op) const { return to_.kind(made) == ExprKind::Call && to_.callee(made) == op; }
    int16_t compiler_of_mark(ExprId made) {
        const std::string* name = to_.attributes(to_.attributes_id(made))[0].as_string();
        return int16_t(names_.number(*name));
    }
    bool takes_end(ExprId made) const;
    void load_operands(ExprId old);
    ExprId finish(ExprId old, int16_t target);

    const Module& from_;
    const Placement& placement_;
    const AnnotateOptions& options_;
    DecisionLog* log_;
    Module to_;
    ModuleCopier copier_;
    CompilerNames names_;
    MarkReader reader_;
    std::vector<int16_t> backend_numbers_;  ///< index into the placement's backends -> number in names_
    std::vector<bool> composite_;           ///< of the old module: inside a composite's body
    std::vector<int16_t> target_;           ///< by expression of the new module
    std::vector<ExprId> operands_;          ///< of the current expression, being rewritten
    std::unique_ptr<MarkMaker> maker_;
    ExprId begin_, end_;
};

bool TargetAnnotator::takes_end(ExprId made) const {
    switch (to_.kind(made)) {
        case ExprKind::Call: return to_.operands(made).size() > 1;
        case ExprKind::Tuple: return !to_.operands(made).empty();
        case ExprKind::Projection:
        case ExprKind::RefCreate:
        case ExprKind::RefRead:
        case ExprKind::RefWrite: return true;
        default: return false;
    }
}

void TargetAnnotator::load_operands(ExprId old) {
    operands_.clear();
    for (ExprId operand : from_.operands(old)) operands_.push_back(copier_.image(operand));
}

ExprId TargetAnnotator::finish(ExprId old, int16_t target) {
    ExprId made = to_.add_like(from_, old, operands_);
    copier_.set_image(old, made);
    if (target != kNoTarget) set_target(made, target);
    return made;
}

int16_t TargetAnnotator::annotate_operands(size_t first, int16_t wanted) {
    if (first == operands_.size()) return wanted;
    int16_t common = kNoTarget;
    for (size_t i = first; i < operands_.size(); ++i) {
        ExprId& operand = operands_[i];
        int16_t goes_to = CompilerNames::kDefault;
        if (is_mark(operand, begin_)) {
            ExprId inner = to_.operands(operand)[1];
            if (is_mark(inner, end_)) goes_to = compiler_of_mark(inner);
            // A `default` mark of an earlier run is removed here; the code below adds it again with the new compiler.
            if (compiler_of_mark(operand) == CompilerNames::kDefault) operand = inner;
        } else if (int16_t known = target(operand); known != kNoTarget) {
            goes_to = known;
            bool without_arguments = to_.kind(operand) == ExprKind::Call && to_.operands(operand).size() == 1;
            if (!without_arguments) operand = maker_->end(operand, known);
        }
        common = common == kNoTarget ? goes_to : common == goes_to ? common : int16_t(CompilerNames::kDefault);
    }
    int16_t compiler = wanted == kNoTarget ? common : wanted;
    for (size_t i = first; i < operands_.size(); ++i)
        if (!is_mark(operands_[i], begin_)) operands_[i] = maker_->begin(operands_[i], compiler);
    return compiler;
}

ExprId TargetAnnotator::with_end(ExprId value) {
    if (int16_t known = target(value); known != kNoTarget) {
        if (!takes_end(value)) return value;
        ExprId end = maker_->end(value, known);
        set_target(end, known);
        return end;
    }
    if (!is_mark(value, end_) || compiler_of_mark(value) != CompilerNames::kDefault) return value;
    ExprId inner = to_.operands(value)[1];
    int16_t known = std::max<int16_t>(target(inner), CompilerNames::kDefault);
    ExprId end = maker_->end(inner, known);
    set_target(end, known);
    return end;
}

void TargetAnnotator::rewrite_ends_of_all(ExprId id, size_t first) {
    load_operands(id);
    for (size_t i = first; i < operands_.size(); ++i) operands_[i] = with_end(operands_[i]);
    finish(id, kNoTarget);
}

void TargetAnnotator::rewrite_call(ExprId id) {
    Mark mark = reader_.mark(id);
    if (mark != Mark::None) {
        ExprId made = copier_.copy(id);
        ExprId inner = to_.operands(made)[1];
        if (mark == Mark::End && target(inner) == kNoTarget) set_target(inner, compiler_of_mark(made));
        return;
    }
    std::span<const ExprId> arguments = from_.arguments(id);
    if (!arguments.empty() && reader_.mark(arguments[0]) == Mark::Begin &&
        reader_.compiler(arguments[0]) != CompilerNames::kDefault) {
        copier_.copy(id);  // annotated by an earlier run
        return;
    }
    if (!options_.include_non_call_ops && from_.kind(from_.callee(id)) == ExprKind::Var) {
        rewrite_ends_of_all(id, 1);
        return;
    }
    int16_t backend = id.value < placement_.backend_of.size() ? placement_.backend_of[id.value] : Placement::kDefault;
    int16_t compiler = backend < 0 ? int16_t(CompilerNames::kDefault) : backend_numbers_[size_t(backend)];
    load_operands(id);
    annotate_operands(1, compiler);
    finish(id, compiler);
}

/// Rewrites tuples, projections and references: they go where their operands go, unless the placement forbids it.
void TargetAnnotator::rewrite_grouping(ExprId id) {
    if (!options_.include_non_call_ops) {
        rewrite_ends_of_all(id, 0);
        return;
    }
    load_operands(id);
    const bool kept_out = id.value < placement_.kept_out.size() && placement_.kept_out[id.value];
    int16_t compiler = annotate_operands(0, kept_out ? int16_t(CompilerNames::kDefault) : kNoTarget);
    finish(id, compiler);
    if (!log_ || compiler == kNoTarget || compiler == CompilerNames::kDefault) return;
    Decision decision;
    decision.pass = PassKind::Annotate;
    decision.kind = DecisionKind::Inherited;
    decision.subject = from_.origin(id);
    for (size_t i = 0; i < backend_numbers_.size(); ++i)
        if (backend_numbers_[i] == compiler) decision.backend = int32_t(i);
    log_->add(std::move(decision));
}

void TargetAnnotator::rewrite_let(ExprId id) {
    load_operands(id);
    ExprId var = operands_[0], value = operands_[1], body = with_end(operands_[2]);
    if (to_.kind(value) != ExprKind::Function) {
        operands_ = {value};
        annotate_operands(0, kNoTarget);
        value = operands_[0];
    }
    operands_ = {var, value, body};
    finish(id, kNoTarget);
}

void TargetAnnotator::rewrite(ExprId id) {
    if (composite_[id.value]) {
        copier_.copy(id);
        return;
    }
    switch (from_.kind(id)) {
        case ExprKind::Call: rewrite_call(id); break;
        case ExprKind::Tuple:
        case ExprKind::Projection:
        case ExprKind::RefCreate:
        case ExprKind::RefRead:
        case ExprKind::RefWrite: rewrite_grouping(id); break;
        case ExprKind::Let: rewrite_let(id); break;
        case ExprKind::If: rewrite_ends_of_all(id, 0); break;
        case ExprKind::Function:
            if (is_composite(from_, id)) copier_.copy(id);
            else rewrite_ends_of_all(id, from_.operands(id).size() - 1);
            break;
        default: copier_.copy(id); break;
    }
}

void TargetAnnotator::find_composites(std::span<const ExprId> order) {
    std::vector<ExprId> bodies;
    for (ExprId id : order)
        if (is_composite(from_, id)) bodies.push_back(from_.body(id));
    if (bodies.empty()) return;
    for (ExprId id : post_order(from_, bodies)) composite_[id.value] = true;
}

/// Reserves enough for one begin per operand, and an end for each operand that is not a leaf.
void TargetAnnotator::reserve(std::span<const ExprId> order) {
    size_t operands = 0, marks = 0;
    for (ExprId id : order) {
        std::span<const ExprId> all = from_.operands(id);
        operands += all.size();
        if (from_.kind(id) == ExprKind::Call) all = all.subspan(1);
        for (ExprId operand : all) marks += from_.operands(operand).empty() ? 1 : 2;
    }
    to_.reserve(order.size() + marks + 2, operands + 2 * marks);
    fill_in_large_pages(target_, order.size() + marks + 2, kNoTarget);
}

Result<Module> TargetAnnotator::run() {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : from_.functions()) {
        if (is_opaque_function(from_, global.function)) copier_.copy_all(global.function);
        else roots.push_back(global.function);
    }
    std::vector<ExprId> order = post_order(from_, roots);
    find_composites(order);
    reserve(order);
    maker_ = std::make_unique<MarkMaker>(to_, names_);
    begin_ = maker_->begin_op();
    end_ = maker_->end_op();
    for (ExprId id : order)
        if (!copier_.has(id)) rewrite(id);
    for (const GlobalFunction& global : from_.functions())
        to_.set_function(from_.names().text(global.name), copier_.image(global.function));
    to_.set_typed(from_.typed());
    return std::move(to_);
}

}  // namespace

Result<Module> annotate_target(const Module& module, const Placement& placement, const AnnotateOptions& options,
                               DecisionLog* log) {
    return TargetAnnotator(module, placement, options, log).run();
}

}  // namespace partita
