#include "engine/session/places.h"

#include <algorithm>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/passes/normalized_view.h"
#include "engine/passes/region_set.h"

namespace partita {

namespace {

class PlaceReader {
public:
    explicit PlaceReader(const Module& module) : module_(module) {
        places_.backend_of.assign(module.size(), -1);
        places_.region_of.assign(module.size(), -1);
    }

    ModulePlaces read() {
        read_annotations();
        read_functions();
        return std::move(places_);
    }

private:
    static constexpr size_t kMostBackends = 256;

    int16_t number(std::string_view name) {
        if (name.empty() || name == "default") return -1;
        const auto known = std::find(places_.backends.begin(), places_.backends.end(), name);
        const auto place = int16_t(known - places_.backends.begin());
        if (known != places_.backends.end()) return place;
        if (places_.backends.size() == kMostBackends) return -1;
        places_.backends.emplace_back(name);
        return place;
    }

    void read_annotations() {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions_by_name())
            if (!is_opaque_function(module_, global.function)) roots.push_back(global.function);
        const std::vector<ExprId> order = post_order(module_, roots);
        CompilerNames names;
        MarkReader reader(module_, names);
        Result<RegionSet> regions = RegionSet::build(MarkedModule(module_, reader), roots, order);
        if (!regions) return;
        for (ExprId id : order) {
            const int32_t region = regions->region_of(id);
            if (region == RegionSet::kNone || regions->compiler(region) == CompilerNames::kDefault) continue;
            places_.region_of[id.value] = region;
            places_.backend_of[id.value] = number(names.name(regions->compiler(region)));
        }
    }

    /// Reads functions with a compiler, and their calls.
    void read_functions() {
        for (uint32_t i = 0; i < module_.size(); ++i) {
            const ExprId id(i);
            ExprId function = id;
            if (module_.kind(id) == ExprKind::Call) {
                function = module_.callee(id);
                if (module_.kind(function) == ExprKind::GlobalVar)
                    function = module_.find_function(module_.name_id(function));
            }
            if (!function.valid() || module_.kind(function) != ExprKind::Function) continue;
            if (const int16_t backend = number(module_.function_info(function).string_attribute("Compiler"));
                backend >= 0)
                places_.backend_of[i] = backend;
        }
    }

    const Module& module_;
    ModulePlaces places_;
};

}  // namespace

ModulePlaces module_places(const Module& module) { return PlaceReader(module).read(); }

}  // namespace partita
