// A flag that asks long work to stop. Copies share the flag; setting and reading it is safe from any thread.
#pragma once

#include <atomic>
#include <memory>

namespace partita {

class CancelToken {
public:
    CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
    void cancel() const { flag_->store(true, std::memory_order_relaxed); }
    bool cancelled() const { return flag_->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace partita
