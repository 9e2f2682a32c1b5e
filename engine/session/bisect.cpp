#include "engine/session/bisect.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/flow/names.h"
#include "engine/flow/region_names.h"
#include "engine/ir/called_function.h"
#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/passes/region_alone.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/npy.h"
#include "engine/runtime/ran_where.h"
#include "engine/session/export.h"
#include "engine/support/own_folder.h"

namespace partita {

namespace {

using Fault = Culprit::Fault;

/// What a run beside `default` showed of one region.
struct Shown {
    Fault fault = Fault::None;
    std::string notice;
    std::vector<ExprId> wrong;  ///< results that are wrong, in the module that was divided
};

RunOptions once_beside_default(const RunOptions& options) {
    RunOptions once = options;
    once.progress = nullptr;  // of the search, its steps are told
    once.warmup = 0;
    once.repeat = 1;
    once.steady = once.yardstick = false;
    once.keep_region_outputs = once.beside_default = true;
    once.halved.clear();  // what is refused is to be found
    return once;
}

const RegionTiming* timing_of(const RunReport& report, const std::string& name) {
    for (const RegionTiming& region : report.regions)
        if (region.name == name) return &region;
    return nullptr;
}

Shown shown_by(const Module& divided, const RunReport& report, const RegionOutputs& region, double tolerance) {
    Shown shown;
    if (const RegionTiming* timing = timing_of(report, region.name); timing && fell_back(*timing)) {
        shown.fault = Fault::Refused;
        shown.notice = timing->notice;
        return shown;
    }
    if (region.own_outputs.empty()) return shown;
    const std::vector<ExprId> results = origins_of_results(divided, region.call, region.own_outputs.size());
    for (size_t i = 0; i < region.own_outputs.size(); ++i) {
        if (all_within(compare_outputs({region.own_outputs[i]}, {region.outputs[i]}, tolerance))) continue;
        shown.fault = Fault::WrongValues;
        shown.wrong.push_back(results[i]);
    }
    return shown;
}

class CulpritSearch {
public:
    CulpritSearch(const FlowResult& flow, const RunOptions& options, double tolerance,
                  const std::function<void(const Culprit::Step&)>& told)
        : flow_(flow), partitioned_(*flow.partitioned), options_(once_beside_default(options)), tolerance_(tolerance),
          told_(told), names_(*flow.input) {}

    Result<Culprit> run() {
        Result<RunReport> whole = run_module(flow_.partitioned, options_);
        if (!whole) return whole.error();
        ++found_.runs;
        if (whole->region_outputs.empty() && !flow_.regions.empty())
            return error("a module with control flow can't be compared region by region");
        const RegionOutputs* suspect = nullptr;
        for (Fault fault : {Fault::WrongValues, Fault::Refused})
            for (const RegionOutputs& region : whole->region_outputs)
                if (!suspect && shown_by(partitioned_, *whole, region, tolerance_).fault == fault) suspect = &region;
        if (!suspect) {
            tell({SENTENCE("Engine", "each region by itself: none differs from default, none was refused"), {}}, {},
                 false);
            return std::move(found_);
        }
        const Shown shown = shown_by(partitioned_, *whole, *suspect, tolerance_);
        found_.fault = shown.fault;
        found_.notice = shown.notice;
        found_.region = found_.title = suspect->name;
        for (const RegionInfo& region : flow_.regions)
            if (region.function == found_.region) found_.title = region_name(region, names_);
        tell({found_.fault == Fault::Refused
                  ? SENTENCE("Engine", "each region by itself: %1 was refused")
                  : SENTENCE("Engine", "each region by itself: %1 gives other values than default"),
              {found_.title}},
             RegionAlone(partitioned_, called_function(partitioned_, suspect->call), "").all_origins(), true);
        if (Status searched = search(*suspect); !searched) return searched.error();
        cut_out();
        return std::move(found_);
    }

private:
    using Units = std::vector<size_t>;

    Status search(const RegionOutputs& suspect) {
        const ExprId function = called_function(partitioned_, suspect.call);
        found_.backend = std::string(partitioned_.function_info(function).string_attribute("Compiler"));
        found_.whole = std::make_shared<const RegionAlone>(partitioned_, function, found_.backend);
        const RegionAlone& alone = *found_.whole;
        alone_ = &alone;
        Result<std::map<std::string, Tensor>> inputs = inputs_of(partitioned_, suspect.call, alone, options_.inputs);
        if (!inputs) return inputs.error();
        found_.inputs = std::move(*inputs);
        if (found_.fault == Fault::WrongValues) {
            Result<Units> first = wrong_values(alone.all());
            if (!first) return first.error();
            if (!first->empty()) return end(*first);
        }
        Units units = alone.all();
        Result<bool> repeats = is_faulty(units, {SENTENCE("Engine", "the region alone"), {}});
        if (!repeats) return repeats.error();
        if (!*repeats) {
            tell({SENTENCE("Engine",
                           "the fault is not seen when the region runs alone: its operators can't be told apart"),
                  {}},
                 alone.all_origins(), false);
            found_.calls = alone.all_origins();
            return Nothing();
        }
        if (Status cut = narrow(units); !cut) return cut;
        return end(units);
    }

    Status narrow(Units& units) {
        if (Status cut = shorten(units); !cut) return cut;
        return thin_out(units);
    }

    /// Runs what the arguments of a call are; returns them by the names of the parameters that they are for.
    Result<std::map<std::string, Tensor>> inputs_of(const Module& module, ExprId call, const RegionAlone& alone,
                                                    std::map<std::string, Tensor> given) const {
        std::map<std::string, Tensor> inputs;
        const std::span<const ExprId> arguments = module.arguments(call);
        for (ExprId argument : arguments)
            if (!module.types().is_tensor(module.type(argument)))
                return error("an input of " + found_.title + " is a tuple: the region can't run alone");
        if (arguments.empty()) return inputs;
        RunOptions options = options_;
        options.inputs = std::move(given);
        options.keep_region_outputs = options.beside_default = false;
        options.all_on_default = true;
        Result<RunReport> report = run_module(with_results(module, arguments), options);
        if (!report) return report.error();
        for (size_t i = 0; i < alone.parameters().size() && i < report->outputs.size(); ++i)
            inputs.emplace(std::string(alone.module().name(alone.parameters()[i])), std::move(report->outputs[i]));
        return inputs;
    }

    static ModulePtr with_results(const Module& module, std::span<const ExprId> results) {
        Module to = Module::with_tables_of(module);
        ModuleCopier copier(module, to);
        const ExprId main = module.find_function("main");
        for (const GlobalFunction& global : module.functions())
            if (global.function != main)
                to.set_function(module.names().text(global.name), copier.copy_all(global.function));
        std::vector<ExprId> parameters, fields;
        std::vector<TypeId> parameter_types, types;
        for (ExprId parameter : module.parameters(main)) {
            parameters.push_back(copier.copy_all(parameter));
            parameter_types.push_back(module.type(parameter));
        }
        for (ExprId result : results) {
            fields.push_back(copier.copy_all(result));
            types.push_back(module.type(result));
        }
        const TypeId tuple = to.types().tuple(types);
        to.set_function("main", to.add_function(parameters, to.add_tuple(fields, tuple), {},
                                                to.types().function(parameter_types, tuple)));
        to.set_typed(module.typed());
        return std::make_shared<const Module>(std::move(to));
    }

    /// Leaves of the module that showed the fault nothing but its region.
    void cut_out() {
        if (!found_.smallest) return;
        const Module& module = *found_.smallest;
        const ExprId main = module.find_function("main");
        for (ExprId id : post_order(module, module.body(main))) {
            const ExprId function = called_function(module, id);
            if (!function.valid() || module.function_info(function).string_attribute("Compiler").empty()) continue;
            RegionAlone least(module, function, found_.backend);
            Result<std::map<std::string, Tensor>> inputs = inputs_of(module, id, least, found_.inputs);
            Result<Module> cut = least.divided({least.all()}, false);
            if (!inputs || !cut) return;
            found_.inputs = std::move(*inputs);
            found_.smallest = std::make_shared<const Module>(std::move(*cut));
            return;
        }
    }

    Result<Shown> try_units(const Units& units, bool all_values) {
        Result<Module> divided = alone_->divided({units}, all_values);
        if (!divided) return divided.error();
        auto module = std::make_shared<const Module>(std::move(*divided));
        RunOptions options = options_;
        options.inputs = found_.inputs;
        Result<RunReport> report = run_module(module, options);
        if (!report) return report.error();
        ++found_.runs;
        Shown shown;
        for (const RegionOutputs& region : report->region_outputs)
            shown = shown_by(*module, *report, region, tolerance_);
        if (shown.fault == found_.fault && !all_values) {
            found_.smallest = std::move(module);
            tried_ = units;
            tried_in_ = alone_;
            if (!shown.notice.empty()) found_.notice = shown.notice;
        }
        return shown;
    }

    /// Returns the units that are wrong though what they use is right; none where the fault vanishes.
    Result<Units> wrong_values(const Units& all) {
        Result<Shown> shown = try_units(all, true);
        if (!shown) return shown.error();
        const Units first = alone_->first_of(shown->wrong);
        Sentence showed{SENTENCE("Engine", "none differs, the fault depends on what is fused"), {}};
        if (shown->fault == Fault::Refused) showed = {SENTENCE("Engine", "the region is refused so"), {}};
        else if (!first.empty())
            showed = {SENTENCE("Engine", "%1 is wrong though its inputs are right"), {title(first)}};
        tell({SENTENCE("Engine", "every value of the region as an output: %1"), {showed}},
             alone_->origins(first.empty() ? all : first), !first.empty());
        return first;
    }

    /// Whether the fault shows with these units alone as a region; not where they can't be one.
    Result<bool> is_faulty(const Units& units, const Sentence& what) {
        Result<Shown> shown = try_units(units, false);
        if (options_.cancel.cancelled()) return error("cancelled");
        if (!shown) return shown.error();
        const bool faulty = shown->fault == found_.fault;
        tell({faulty ? SENTENCE("Engine", "%1: the fault shows") : SENTENCE("Engine", "%1: no fault"), {what}},
             alone_->origins(units), faulty);
        return faulty;
    }

    /// Finds the shortest beginning that shows the fault, then its shortest end.
    Status shorten(Units& units) {
        size_t least = 1, most = units.size();
        while (least < most) {
            const size_t middle = (least + most) / 2;
            Result<bool> faulty = is_faulty(Units(units.begin(), units.begin() + std::ptrdiff_t(middle)),
                                            {SENTENCE("Engine", "the first %1 operators"), {std::to_string(middle)}});
            if (!faulty) return faulty.error();
            (*faulty ? most : least) = *faulty ? middle : middle + 1;
        }
        units.resize(most);
        size_t kept = 0, gone = units.size();  // of what stands in front, so much may go; so much not
        while (kept + 1 < gone) {
            const size_t middle = (kept + gone) / 2;
            Result<bool> faulty =
                is_faulty(Units(units.begin() + std::ptrdiff_t(middle), units.end()),
                          {SENTENCE("Engine", "the last %1 of these"), {std::to_string(units.size() - middle)}});
            if (!faulty) return faulty.error();
            (*faulty ? kept : gone) = middle;
        }
        units.erase(units.begin(), units.begin() + std::ptrdiff_t(kept));
        return Nothing();
    }

    /// Takes parts out as long as the fault shows without them.
    Status thin_out(Units& units) {
        constexpr int kMostRuns = 200;
        for (size_t part = units.size() / 2; part > 0 && found_.runs < kMostRuns; part /= 2)
            for (size_t at = 1; at + 1 < units.size() && found_.runs < kMostRuns;) {
                Units fewer = units;
                const size_t end = std::min(at + part, units.size() - 1);
                fewer.erase(fewer.begin() + std::ptrdiff_t(at), fewer.begin() + std::ptrdiff_t(end));
                if (!alone_->divided({fewer}, false)) {  // a path would leave it and return
                    at += part;
                    continue;
                }
                Result<bool> faulty =
                    is_faulty(fewer, {SENTENCE("Engine", "without %1 of them"), {std::to_string(end - at)}});
                if (!faulty) return faulty.error();
                if (*faulty) units = std::move(fewer);
                else at += part;
            }
        return Nothing();
    }

    /// Of composites, what is in them is tried.
    Status end(const Units& units) {
        for (size_t unit : units) {
            if (!alone_->is_composite_of_several(unit)) {
                add_culprits({unit});
                continue;
            }
            if (Status narrowed = narrow_inside(*alone_, unit); !narrowed) return narrowed;
        }
        return units.size() == 1 && alone_->is_composite_of_several(units[0]) ? Nothing() : hand_on(units);
    }

    Status narrow_inside(const RegionAlone& whole, size_t unit) {
        const RegionAlone apart(whole, unit);
        alone_ = &apart;
        if (tried_in_ != &whole) tried_in_ = nullptr;
        const Status narrowed = narrow_inside(whole, unit, apart.inside());
        alone_ = &whole;
        return narrowed;
    }

    Status narrow_inside(const RegionAlone& whole, size_t unit, Units inner) {
        const Sentence what{SENTENCE("Engine", "the operators of %1 without their pattern"),
                            {names_.name(whole.origins({unit}).back())}};
        Result<bool> faulty = is_faulty(inner, what);
        if (!faulty) return faulty.error();
        if (!*faulty) {  // the fault is in what the composite is compiled to
            alone_ = &whole;
            add_culprits({unit});
            return hand_on({unit});
        }
        if (Status cut = narrow(inner); !cut) return cut;
        add_culprits(inner);
        return hand_on(inner);
    }

    void add_culprits(const Units& units) {
        const std::vector<ExprId> calls = alone_->origins(units);
        found_.calls.insert(found_.calls.end(), calls.begin(), calls.end());
    }

    /// Keeps the smallest region that shows the fault.
    Status hand_on(const Units& units) {
        const bool refused = found_.fault == Fault::Refused;
        if (found_.smallest && tried_ == units && tried_in_ == alone_) {
            tell({refused ? SENTENCE("Engine", "%1: no smaller part is refused")
                          : SENTENCE("Engine", "%1: no smaller part shows the fault"),
                  {title(units)}},
                 alone_->origins(units), true);
            return Nothing();
        }
        Result<Shown> shown = try_units(units, false);  // what is handed on shows the fault, or is not handed on
        if (options_.cancel.cancelled()) return error("cancelled");
        if (!shown) return Nothing();
        const bool shows = shown->fault == found_.fault;
        if (!shows) found_.smallest = nullptr;
        tell({shows ? SENTENCE("Engine", "%1: the fault shows in a region of it alone")
                    : SENTENCE("Engine", "%1: no fault in a region of it alone"),
              {title(units)}},
             alone_->origins(units), shows);
        return shows || alone_ != found_.whole.get() ? Nothing() : keep_context();
    }

    /// Of a fault that shows only with other operators, the shortest run of them that shows it is handed on.
    Status keep_context() {
        Units units = alone_->all();
        Result<bool> repeats = is_faulty(units, {SENTENCE("Engine", "the region alone"), {}});
        if (!repeats) return repeats.error();
        return *repeats ? shorten(units) : Nothing();
    }

    Sentence title(const Units& units) const {
        std::string text;
        const std::vector<ExprId> calls = alone_->origins(units);
        constexpr size_t kMost = 6;
        for (size_t i = 0; i < std::min(calls.size(), kMost); ++i) text += (i ? ", " : "") + names_.name(calls[i]);
        if (calls.size() <= kMost) return as_it_is(text);
        return {SENTENCE("Engine", "%1 and %2 more"), {text, std::to_string(calls.size() - kMost)}};
    }

    void tell(Sentence what, std::vector<ExprId> calls, bool shows) {
        found_.steps.push_back({std::move(what), std::move(calls), shows});
        if (told_) told_(found_.steps.back());
    }

    const FlowResult& flow_;
    const Module& partitioned_;
    RunOptions options_;
    double tolerance_;
    const std::function<void(const Culprit::Step&)>& told_;
    ExpressionNames names_;
    const RegionAlone* alone_ = nullptr;
    Units tried_;  ///< that `smallest` is, in `tried_in_`
    const RegionAlone* tried_in_ = nullptr;
    Culprit found_;
};

}  // namespace

Result<Culprit> find_culprit(const FlowResult& flow, const RunOptions& options, double tolerance,
                             const std::function<void(const Culprit::Step&)>& told) {
    if (!flow.partitioned) return error("the module is not partitioned");
    return CulpritSearch(flow, options, tolerance, told).run();
}

namespace {

/// The region with what a step tried marked as a region of the backend.
Result<std::string> picture_of(const Culprit& culprit, const Culprit::Step& step) {
    const RegionAlone& whole = *culprit.whole;
    const auto module = std::make_shared<const Module>(whole.module());
    ExportSubject subject = export_subject(module, step.what.text());
    subject.backends = {culprit.backend};
    subject.backend_of.assign(module->size(), -1);
    subject.region_of.assign(module->size(), -1);
    subject.regions = {{culprit.region, step.shows ? "shows the fault" : "no fault", culprit.backend, 0}};
    const std::set<ExprId> tried(step.calls.begin(), step.calls.end());
    for (size_t unit = 0; unit < whole.size(); ++unit) {
        const std::vector<ExprId> calls = whole.origins({unit});
        if (std::none_of(calls.begin(), calls.end(), [&tried](ExprId call) { return tried.contains(call); })) continue;
        subject.backend_of[whole.call_of(unit).value] = 0;
        subject.region_of[whole.call_of(unit).value] = 0;
    }
    return write_svg(subject);
}

}  // namespace

Status write_smallest(const Culprit& culprit, const std::string& folder, bool force) {
    if (!culprit.smallest) return error("there is no region to write: the fault shows in none of these alone");
    Result<std::string> text = write_relay_text(export_subject(culprit.smallest, culprit.region));
    if (!text) return text.error();
    std::string content;
    std::vector<NewFile> files;
    files.push_back({kSmallestModuleFile, 1, [&text](size_t) { return std::string_view(*text); }});
    for (const auto& [name, tensor] : culprit.inputs)
        files.push_back({name + ".npy", 1, [&content, &tensor = tensor](size_t) {
                             return std::string_view(content = format_npy(tensor));
                         }});
    constexpr size_t kMostDrawn = 500, kMostPictures = 99;
    std::vector<std::string> pictures;
    for (size_t i = 0; culprit.whole->size() <= kMostDrawn && i < std::min(culprit.steps.size(), kMostPictures); ++i) {
        Result<std::string> picture = picture_of(culprit, culprit.steps[i]);
        if (!picture) return picture.error();
        pictures.push_back(std::move(*picture));
    }
    for (size_t i = 0; i < pictures.size(); ++i)
        files.push_back({"step_" + std::string(i < 9 ? "0" : "") + std::to_string(i + 1) + ".svg", 1,
                         [&picture = pictures[i]](size_t) { return std::string_view(picture); }});
    return write_own_folder({folder, kSmallestModuleFile, force}, files);
}

}  // namespace partita
