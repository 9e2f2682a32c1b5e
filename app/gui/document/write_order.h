// Files that workers write: whichever worker comes first, the content that was asked for last is what stays.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "engine/support/file.h"

namespace partita {

class WriteOrder {
public:
    /// On the asking thread: the place of a write in the order.
    uint64_t next() {
        std::lock_guard lock(mutex_);
        return ++last_;
    }
    /// On the worker. Does nothing where a later write or removal of the file is done already.
    Status write(uint64_t place, const std::string& path, const std::string& content) {
        std::lock_guard lock(mutex_);
        uint64_t& done = done_[path];
        if (place < done) return Nothing();
        Status written = write_file(path, content);
        if (written) done = place;
        return written;
    }
    void remove(uint64_t place, const std::string& path) {
        std::lock_guard lock(mutex_);
        uint64_t& done = done_[path];
        if (place < done) return;
        done = place;
        std::remove(path.c_str());
    }

private:
    std::mutex mutex_;
    uint64_t last_ = 0;
    std::map<std::string, uint64_t> done_;
};

}  // namespace partita
