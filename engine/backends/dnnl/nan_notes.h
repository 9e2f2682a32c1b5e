// Whether a run met NaN. The processor notes each comparison of NaN, and each operation that makes one, in a flag of
// the thread (FE_INVALID). Steps that treat NaN as the kernels of `default` do are left out: they may note what is
// harmless, such as what they compute in the lanes behind a row.
#pragma once

#include <cfenv>

namespace partita::onednn {

class NanNotes {
public:
    /// `threads`: those that primitives run on. Forgets what other work of these threads noted.
    explicit NanNotes(int threads) : threads_(threads) {
        take_all();
        any_ = false;
    }

    /// Returns whether a thread met NaN outside of the steps that are left out.
    bool any() {
        take_all();
        return any_;
    }
    void add(bool met) { any_ = any_ || met; }
    /// Around a step that is left out; `on_all`: it runs on the threads of primitives, else on others.
    void begin_harmless(bool on_all) { on_all ? take_all() : take(); }
    void end_harmless(bool on_all) {
        const bool before = any_;
        on_all ? take_all() : take();
        any_ = before;
    }

private:
    static bool noted() {
        const bool noted = std::fetestexcept(FE_INVALID) != 0;
        if (noted) std::feclearexcept(FE_INVALID);
        return noted;
    }
    void take() { any_ = noted() || any_; }
    void take_all() {
        bool any = any_;
        if (threads_ < 2) {
            any = noted() || any;
        } else {
#pragma omp parallel num_threads(threads_) reduction(|| : any)
            any = noted() || any;
        }
        any_ = any;
    }

    const int threads_;
    bool any_ = false;
};

}  // namespace partita::onednn
