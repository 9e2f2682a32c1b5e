// Lists of integers that come from a file: dimensions, axes, sizes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace partita::onnx {

/// The reason why a node cannot be converted. Thrown inside this folder only; the importer makes an opaque node or a
/// diagnostic of it.
struct Fault {
    std::string message;
    std::string needed_constant;  ///< the value that would have to be known, if that is the reason
};

/// A vector in which a place that does not exist is a Fault: how many numbers a file gives is for the file to say.
class Integers : public std::vector<int64_t> {
    using Base = std::vector<int64_t>;

public:
    using Base::Base;
    Integers() = default;
    Integers(Base values) : Base(std::move(values)) {}

    int64_t& operator[](size_t index) { return Base::operator[](inside(index, size())); }
    int64_t operator[](size_t index) const { return Base::operator[](inside(index, size())); }
    void at(size_t) = delete;
    int64_t& front() { return (*this)[0]; }
    int64_t front() const { return (*this)[0]; }
    int64_t& back() { return (*this)[size() - 1]; }
    int64_t back() const { return (*this)[size() - 1]; }
    void pop_back() { erase(Base::begin() + place(int64_t(size()) - 1)); }

    iterator insert(const_iterator at, int64_t value) { return Base::insert(gap(at), value); }
    iterator insert(const_iterator at, size_t count, int64_t value) { return Base::insert(gap(at), count, value); }
    iterator insert(const_iterator at, std::initializer_list<int64_t> values) { return Base::insert(gap(at), values); }
    template <class Iterator>
    iterator insert(const_iterator at, Iterator first, Iterator last) {
        return Base::insert(gap(at), first, last);
    }
    iterator erase(const_iterator at) { return Base::erase(Base::cbegin() + place(at - Base::cbegin())); }

    /// The numbers from a place on; none behind the last one.
    Integers from(size_t first) const {
        return first < size() ? Integers(begin() + int64_t(first), end()) : Integers();
    }
    /// The numbers before the last `count`.
    Integers without_last(size_t count) const {
        return Integers(begin(), begin() + int64_t(inside(size() - count, size() + 1)));
    }

private:
    static size_t inside(size_t index, size_t count) {
        if (index >= count) throw Fault{"a list of its dimensions or numbers is too short", {}};
        return index;
    }
    int64_t place(int64_t at) const { return int64_t(inside(size_t(at), size())); }
    const_iterator gap(const_iterator at) const {
        return cbegin() + int64_t(inside(size_t(at - cbegin()), size() + 1));
    }
};

}  // namespace partita::onnx
