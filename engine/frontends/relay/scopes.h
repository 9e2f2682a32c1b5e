// The scopes of names in Relay text: variables by lexical scope, temporaries `%k` in one table.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "engine/ir/module.h"

namespace partita::relay {

/// Variables by name. Binding and leaving a scope cost the number of bound variables; finding costs an index.
class VariableScopes {
public:
    size_t mark() const { return undo_.size(); }

    void bind(NameId name, ExprId variable) {
        if (name.value >= bound_.size()) bound_.resize(std::max<size_t>(name.value + 1, bound_.size() * 2));
        undo_.push_back({name, bound_[name.value]});
        bound_[name.value] = variable;
    }

    void leave(size_t mark) {
        while (undo_.size() > mark) {
            bound_[undo_.back().name.value] = undo_.back().before;
            undo_.pop_back();
        }
    }

    /// Returns an invalid id if no variable of that name is bound.
    ExprId find(NameId name) const { return name.value < bound_.size() ? bound_[name.value] : ExprId(); }

    /// Returns the variables that are bound now, including shadowed ones.
    std::vector<ExprId> variables() const {
        std::vector<ExprId> variables;
        for (const Undo& undo : undo_) {
            variables.push_back(undo.before);
            variables.push_back(bound_[undo.name.value]);
        }
        return variables;
    }

    /// Returns the names that are bound now, innermost first, at most `most`.
    std::vector<NameId> names(size_t most) const {
        std::vector<NameId> names;
        for (size_t i = undo_.size(); i-- > 0 && names.size() < most;) names.push_back(undo_[i].name);
        return names;
    }

private:
    struct Undo {
        NameId name;
        ExprId before;
    };
    std::vector<ExprId> bound_;  ///< by NameId
    std::vector<Undo> undo_;
};

/// Temporaries. Visible from their definition to the end of the text, beyond the end of their scope: TVM prints an
/// expression that two branches share in the first one only. A number may be defined again if the scope of the earlier
/// definition has ended, as in texts that count from 0 in each function.
class Temporaries {
public:
    ExprId find(int64_t number) const {
        const Binding* binding = lookup(number);
        return binding ? binding->value : ExprId();
    }

    /// Returns whether the scope in which a bound number was bound is still open.
    bool in_open_scope(int64_t number) const { return is_open(lookup(number)->scope); }

    /// Returns the earlier definition if there is one whose scope is open; else binds `value` and returns an invalid
    /// id.
    ExprId bind(int64_t number, ExprId value) {
        Binding& binding = slot(number);
        if (binding.value.valid() && is_open(binding.scope)) return binding.value;
        binding = {value, open_.back()};
        ++count_;
        return ExprId();
    }

    void open_scope() { open_.push_back(++last_scope_); }
    void close_scope() { open_.pop_back(); }

private:
    struct Binding {
        ExprId value;
        uint32_t scope = 0;
    };

    bool is_open(uint32_t scope) const {
        return scope == open_.back() || std::binary_search(open_.begin(), open_.end(), scope);
    }

    const Binding* lookup(int64_t number) const {
        if (number < int64_t(dense_.size()) && dense_[size_t(number)].value.valid()) return &dense_[size_t(number)];
        auto it = sparse_.find(number);
        return it == sparse_.end() ? nullptr : &it->second;
    }

    // Numbers usually count up; any others go to a map, so that %4000000000 costs no memory.
    Binding& slot(int64_t number) {
        if (auto it = sparse_.find(number); !sparse_.empty() && it != sparse_.end()) return it->second;
        if (number >= int64_t(count_ * 2 + 4096)) return sparse_[number];
        if (number >= int64_t(dense_.size())) dense_.resize(std::max(size_t(number) + 1, dense_.size() * 2));
        return dense_[size_t(number)];
    }

    std::vector<Binding> dense_;
    std::unordered_map<int64_t, Binding> sparse_;
    size_t count_ = 0;
    std::vector<uint32_t> open_ = {0};  ///< ascending
    uint32_t last_scope_ = 0;
};

}  // namespace partita::relay
