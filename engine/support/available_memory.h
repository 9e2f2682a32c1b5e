// For memory whose amount a file says: asks whether it is there before it is filled. Linux hands out addresses beyond
// what it has, and kills a process later that uses them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace partita {

/// Throws std::bad_alloc where so much memory is not there. Small amounts add up: the system is asked once for each 64
/// MiB.
void check_available(size_t bytes);

/// `vector.push_back(value)`, asking before the vector grows.
template <class T>
void append_checked(std::vector<T>& vector, T value) {
    if (vector.size() == vector.capacity()) check_available(2 * vector.capacity() * sizeof(T));
    vector.push_back(std::move(value));
}

}  // namespace partita
