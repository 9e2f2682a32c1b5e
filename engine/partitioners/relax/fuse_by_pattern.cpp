#include <algorithm>

#include "engine/partitioners/relax/passes.h"
#include "engine/support/sentence.h"

namespace partita::relax {

namespace {

using Kind = Expression::Kind;

bool is_entry(const Function& function) {
    return function.attribute("Primitive").empty() && function.attribute("Composite").empty() &&
           function.attribute("Codegen").empty();
}

/// The matches of one pattern in one function. A binding is named by its number there.
class PatternGroups {
public:
    PatternGroups(const Rewriting& rewriting, const Function& function, const FusionPattern& pattern,
                  PassResult& result)
        : rewriting_(rewriting), pattern_(pattern), matcher_(rewriting.program, *pattern.pattern), result_(result),
          place_of_(rewriting.program.variables.size(), kNone) {
        for (const Block& block : function.blocks) {
            for (const Binding& binding : block.bindings) {
                if (binding.variable != kNone) place_of_[binding.variable] = uint32_t(bindings_.size());
                bindings_.push_back(&binding);
                block_of_.push_back(block.is_dataflow ? uint32_t(&block - function.blocks.data()) : kNone);
            }
        }
        groups_.resize(bindings_.size());
        part_all();
    }

    Groups find() {
        for (uint32_t place = 0; place < bindings_.size(); ++place) {
            matcher_.bind(*bindings_[place]);
            if (bindings_[place]->value.is(Kind::Call) && matcher_.match(*bindings_[place])) consider(place);
        }
        if (roots_.empty()) return {};
        if (std::any_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.count > 1; }))
            part_cycles();
        Groups found;
        for (uint32_t place = 0; place < bindings_.size(); ++place) found.of.push_back(root(place));
        for (uint32_t group : found.of)
            if (groups_[group].is_composite) found.becomes[group] = {{"Composite", python_quoted(pattern_.name)}};
        note_matches(found);
        return found;
    }

private:
    /// As TVM's groups: one for each binding, with a link to the one that took it.
    struct Group {
        uint32_t parent;
        int32_t count;                 ///< TVM's num_nodes
        std::vector<uint32_t> places;  ///< those that were put into this very group, with itself; empty: itself alone
        bool is_composite = false;
    };

    void part_all() {
        for (uint32_t i = 0; i < groups_.size(); ++i) groups_[i] = {i, 1, {}, false};
    }

    uint32_t root(uint32_t place) const {
        while (groups_[place].parent != place) place = groups_[place].parent;
        return place;
    }

    uint32_t source(uint32_t place) const {
        const std::vector<uint32_t> sources = rewriting_.sources_of(*bindings_[place]);
        return sources.empty() ? kNone : sources.back();
    }

    void note(uint32_t place, const char* form, std::vector<uint32_t> named = {}) {
        for (uint32_t& each : named) each = source(each);
        result_.notes.push_back({source(place), kNone, form, std::move(named)});
    }

    void note_matches(const Groups& found) {
        std::unordered_map<uint32_t, PassMatch> taken;  // by group
        for (uint32_t place = 0; place < bindings_.size(); ++place) {
            const uint32_t group = found.of[place];
            if (!groups_[group].is_composite) continue;
            PassMatch& match =
                taken.try_emplace(group, PassMatch{pattern_.name, source(group), {}, true}).first->second;
            const std::vector<uint32_t> sources = rewriting_.sources_of(*bindings_[place]);
            match.sources.insert(match.sources.end(), sources.begin(), sources.end());
        }
        for (auto& [_, match] : taken) result_.matches.push_back(std::move(match));
    }

    void consider(uint32_t place) {
        std::vector<uint32_t> inside;  // without the root
        for (VariableNumber variable : matcher_.inside()) {
            if (variable == kNone) return;  // a call inside another has no variable
            const uint32_t at = place_of_[variable];
            if (at != place) inside.push_back(at);
        }
        std::sort(inside.begin(), inside.end());
        inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
        if (pattern_.check && !pattern_.check(*bindings_[place], matcher_)) {
            result_.matches.push_back({pattern_.name, source(place), {source(place)}, false});
            return;
        }
        for (uint32_t at : inside)
            if (const char* why = obstacle(at)) return note(place, why, {at});
        if (obstacle(place)) return;
        const auto is_elsewhere = [&](uint32_t at) { return block_of_[at] != block_of_[place]; };
        if (block_of_[place] == kNone || std::any_of(inside.begin(), inside.end(), is_elsewhere))
            return note(place, SENTENCE("Engine", "a pattern matches, but not in a dataflow block"));
        for (uint32_t at : inside)
            if (groups_[root(at)].count > 1 && !lies_in(groups_[at].places, inside, place))
                return note(place, SENTENCE("Engine", "a pattern matches, but %1 is taken by an earlier match"), {at});
        groups_[root(place)].is_composite = true;
        const uint32_t group = root(place);
        for (uint32_t at : inside) join(at, group);
        roots_.push_back(place);
        if (matches_.size() < bindings_.size()) matches_.resize(bindings_.size());
        matches_[place] = std::move(inside);
    }

    const char* obstacle(uint32_t place) const {
        if (!pattern_.obstacle) return nullptr;
        for (uint32_t source : rewriting_.sources_of(*bindings_[place]))
            if (const char* why = pattern_.obstacle(source)) return why;
        return nullptr;
    }

    static bool lies_in(const std::vector<uint32_t>& places, const std::vector<uint32_t>& inside, uint32_t place) {
        return std::all_of(places.begin(), places.end(), [&](uint32_t at) {
            return at == place || std::binary_search(inside.begin(), inside.end(), at);
        });
    }

    void join(uint32_t at, uint32_t group) {
        if (at == group) return;
        --groups_[at].count;
        groups_[at].parent = group;
        if (groups_[group].places.empty()) groups_[group].places.push_back(group);
        groups_[group].places.push_back(at);
        ++groups_[group].count;
    }

    // ---- matches that would wait for themselves

    std::vector<uint32_t> uses(uint32_t place) const {
        std::vector<uint32_t> places;
        for_each_variable(bindings_[place]->value, [&](VariableNumber used) {
            if (place_of_[used] != kNone) places.push_back(place_of_[used]);
        });
        return places;
    }

    /// Takes the matches one by one, and leaves out those that close a cycle. Costs nothing where there is none.
    void part_cycles() {
        if (!has_cycle()) return;
        part_all();
        for (uint32_t place : roots_) {
            const std::vector<Group> before = groups_;
            for (uint32_t at : matches_[place]) join(at, root(place));
            const std::vector<uint32_t> path = path_around(root(place));
            if (path.empty()) {
                groups_[root(place)].is_composite = true;
                continue;
            }
            groups_ = before;
            note(place,
                 SENTENCE("Engine",
                          "a pattern matches, but the match would wait for itself through %1; TVM fails there"),
                 {path.front()});
        }
    }

    std::vector<std::vector<uint32_t>> members() const {
        std::vector<std::vector<uint32_t>> members(groups_.size());
        for (uint32_t i = 0; i < groups_.size(); ++i) members[root(i)].push_back(i);
        return members;
    }

    /// Whether the groups have no order (Kahn's algorithm).
    bool has_cycle() const {
        const auto members = this->members();
        std::vector<uint32_t> waits(groups_.size());
        std::vector<std::vector<uint32_t>> users(groups_.size());
        size_t open = 0;
        for (uint32_t group = 0; group < groups_.size(); ++group) {
            open += !members[group].empty();
            for (uint32_t place : members[group])
                for (uint32_t used : uses(place))
                    if (root(used) != group) users[root(used)].push_back(group), ++waits[group];
        }
        std::vector<uint32_t> ready;
        for (uint32_t group = 0; group < groups_.size(); ++group)
            if (!members[group].empty() && !waits[group]) ready.push_back(group);
        for (; !ready.empty(); --open) {
            const uint32_t group = ready.back();
            ready.pop_back();
            for (uint32_t user : users[group])
                if (--waits[user] == 0) ready.push_back(user);
        }
        return open > 0;
    }

    /// Returns a path that leaves the group and enters it again, without its ends; empty if there is none.
    std::vector<uint32_t> path_around(uint32_t group) const {
        const auto members = this->members();
        std::vector<uint32_t> from(groups_.size(), kNone), open;  // by group: the place that it was reached from
        const auto reach = [&](uint32_t user) {
            for (uint32_t place : members[user])
                for (uint32_t used : uses(place)) {
                    const uint32_t of = root(used);
                    if (of == user || from[of] != kNone) continue;
                    from[of] = used;
                    if (of == group) {
                        if (user == group) continue;
                        return true;
                    }
                    open.push_back(of);
                }
            return false;
        };
        reach(group);
        from[group] = kNone;
        while (!open.empty()) {
            const uint32_t at = open.back();
            open.pop_back();
            if (reach(at)) return {from[at]};
        }
        return {};
    }

    const Rewriting& rewriting_;
    const FusionPattern& pattern_;
    TextMatcher matcher_;
    PassResult& result_;
    std::vector<const Binding*> bindings_;
    std::vector<uint32_t> block_of_;  ///< kNone outside of dataflow blocks
    std::vector<uint32_t> place_of_;  ///< by variable
    std::vector<Group> groups_;
    std::vector<uint32_t> roots_;                 ///< of matches, in order
    std::vector<std::vector<uint32_t>> matches_;  ///< by root
};

/// A function that only calls a composite: what a compiler takes.
Function wrapped(Rewriting& rewriting, const Function& composite, const std::string& name) {
    Function outer;
    outer.name = name;
    outer.result_type = composite.result_type;
    outer.attributes = {{"Codegen", python_quoted(compiler_of(composite.attribute("Composite")))}};
    outer.is_pure = composite.is_pure;
    Function inner = rewriting.copied(composite);
    inner.is_private = false;
    std::erase_if(inner.attributes, [](const auto& attribute) { return attribute.first == "Primitive"; });
    Binding function, call;
    call.value.kind = Kind::Call;
    call.value.operands.emplace_back().kind = Kind::Variable;
    for (VariableNumber parameter : composite.parameters) {
        const Variable of = rewriting.program.variables[parameter];
        outer.parameters.push_back(rewriting.program.add_variable(of.name, of.type));
        call.value.operands.emplace_back().kind = Kind::Variable;
        call.value.operands.back().index = outer.parameters.back();
    }
    function.variable = rewriting.program.add_variable("local_func", kNone);
    function.value.kind = Kind::Function;
    function.value.functions.push_back(shared(std::move(inner)));
    call.value.operands[0].index = function.variable;
    call.variable = rewriting.program.add_variable("output", composite.result_type);
    outer.result.kind = Kind::Variable;
    outer.result.index = call.variable;
    outer.blocks.emplace_back();
    outer.blocks[0].bindings = {std::move(function), std::move(call)};
    return outer;
}

}  // namespace

std::string compiler_of(std::string_view composite) { return std::string(composite.substr(0, composite.find('.'))); }

void fuse_by_pattern(Rewriting& rewriting, std::span<const FusionPattern> patterns, const PassOptions& options,
                     PassResult& result) {
    for (const FusionPattern& pattern : patterns) {
        if (options.cancel.cancelled()) return;
        rewriting.begin_pass();
        const size_t count = rewriting.program.functions.size();
        std::vector<std::pair<std::string, size_t>> order;  // by name, as TVM visits them
        for (size_t i = 0; i < count; ++i)
            if (is_entry(*rewriting.program.functions[i])) order.emplace_back(rewriting.program.functions[i]->name, i);
        std::sort(order.begin(), order.end());
        std::vector<Groups> groups;
        for (const auto& [_, i] : order)
            groups.push_back(PatternGroups(rewriting, *rewriting.program.functions[i], pattern, result).find());
        for (size_t k = 0; k < order.size(); ++k) {
            const std::shared_ptr<const Function> function = rewriting.program.functions[order[k].second];
            if (groups[k].becomes.empty()) continue;
            rewriting.replace(order[k].second,
                              fuse(rewriting, *function, groups[k], !options.binds_constants, options.version_26));
        }
    }
}

void annotate_codegen(Rewriting& rewriting) {
    rewriting.begin_pass();
    std::unordered_map<std::string, std::string> renamed;
    std::unordered_set<std::string> kept;
    const size_t count = rewriting.program.functions.size();
    std::vector<std::shared_ptr<const Function>> functions = rewriting.program.functions;
    const auto rename = [&](Expression& call) {
        if (!call.is_call_of(Kind::Global)) return;
        const Function* composite = rewriting.find(call.operands[0].text);
        if (!composite || composite->attribute("Composite").empty()) return;
        const auto [found, is_new] = renamed.emplace(composite->name, std::string());
        if (is_new) {
            const std::string name = composite->name + "_" + compiler_of(composite->attribute("Composite"));
            found->second = rewriting.add(wrapped(rewriting, Function(*composite), name), name);
            kept.insert(found->second);
        }
        call.operands[0].text = found->second;
    };
    for (size_t i = 0; i < count; ++i) {
        if (!functions[i]->attribute("Composite").empty() || !functions[i]->attribute("Codegen").empty()) continue;
        Function function = *functions[i];
        for (Block& block : function.blocks)
            for (Binding& binding : block.bindings) rename(binding.value);
        rewriting.replace(i, std::move(function));
    }
    for (const auto& function : functions)
        if (!renamed.count(function->name)) kept.insert(function->name);
    for (const auto& [name, _] : rewriting.program.prim_funcs) kept.insert(name);
    rewriting.keep_only(kept);
}

}  // namespace partita::relax
