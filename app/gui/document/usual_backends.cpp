#include "app/gui/document/usual_backends.h"

#include <algorithm>
#include <initializer_list>

namespace partita {

static std::vector<BackendPtr> shipped_backends(std::initializer_list<std::string_view> names) {
    std::vector<BackendPtr> backends;
    for (std::string_view name : names)
        if (Result<BackendDescription> loaded = builtin_backend(name))
            backends.push_back(std::make_shared<const BackendDescription>(std::move(*loaded)));
    return backends;
}

const std::vector<BackendPtr>& backends_for_speed() {
    static const std::vector<BackendPtr> backends = shipped_backends({"dnnl_all", "ccompiler_wide"});
    return backends;
}

const std::vector<BackendPtr>& backends_as_in_tvm() {
    static const std::vector<BackendPtr> backends = shipped_backends({"dnnl", "ccompiler"});
    return backends;
}

const std::vector<BackendPtr>& UsualBackends::of(bool model) const {
    return chosen ? backends : model ? backends_for_speed() : backends_as_in_tvm();
}

UsualBackends UsualBackends::after(const std::vector<BackendPtr>& now) const {
    const bool usual = same_backends(now, backends_for_speed()) || same_backends(now, backends_as_in_tvm());
    return usual ? *this : UsualBackends{true, now};
}

bool same_backends(const std::vector<BackendPtr>& a, const std::vector<BackendPtr>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const BackendPtr& left, const BackendPtr& right) {
        return left->name == right->name && left->file == right->file && left->source == right->source;
    });
}

}  // namespace partita
