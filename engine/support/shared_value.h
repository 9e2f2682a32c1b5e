// A large value that its copies share until one changes it (copy on write).
#pragma once

#include <memory>
#include <utility>

namespace partita {

template <class T>
class SharedValue {
public:
    SharedValue() = default;
    SharedValue(T value) : value_(std::make_shared<const T>(std::move(value))) {}

    const T& operator*() const {
        static const T nothing;
        return value_ ? *value_ : nothing;
    }
    const T* operator->() const { return &**this; }

    /// Calls `work` with a copy to change; copying costs the size of the value, so all changes belong in one call.
    template <class Work>
    void change(Work&& work) {
        T changed = **this;
        work(changed);
        *this = std::move(changed);
    }
    void clear() { value_ = nullptr; }

private:
    std::shared_ptr<const T> value_;
};

}  // namespace partita
