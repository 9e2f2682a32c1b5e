// A large value that its copies share; whoever changes it gets one of its own.
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

    /// `work` gets a copy to change; it costs as much as the value is large, so all changes belong in one call.
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
