// Checks that memory is available before it is filled, where a file gives the amount. Linux grants more addresses than
// it has memory, and later kills a process that uses them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace partita {

/// Returns the memory available without taking it from others, less a reserve for the system; SIZE_MAX if the system
/// does not say.
size_t available_memory();

/// Throws std::bad_alloc if that much memory is not available. Small amounts add up: asks the system once per 64 MiB.
void check_available(size_t bytes);

/// Does `vector.push_back(value)`, with a check before the vector grows.
template <class T>
void append_checked(std::vector<T>& vector, T value) {
    if (vector.size() == vector.capacity()) check_available(2 * vector.capacity() * sizeof(T));
    vector.push_back(std::move(value));
}

}  // namespace partita
