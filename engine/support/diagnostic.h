// An error in a user's input, as a value: position, problem, and what was expected.
//
// Functions that may refuse a user's input return Result<T>. Errors of programmers are assertions instead.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace partita {

/// A position in a text. Lines and columns count from 1; 0 means unknown.
struct SourcePosition {
    uint32_t line = 0;
    uint32_t column = 0;
    bool operator==(const SourcePosition&) const = default;
};

enum class Severity : uint8_t {
    Error,    ///< the input was refused
    Warning,  ///< the input was accepted, but something in it is probably a mistake
    Note,     ///< useful information
};

struct Diagnostic {
    Severity severity = Severity::Error;
    std::string file;  ///< empty if there is no file
    SourcePosition position;
    std::string message;

    /// Returns `file:line:column: error: message`, without the parts that are unknown.
    std::string to_string() const;
};

/// Returns an error without a position in a file, or one whose file the caller will add.
Diagnostic error(std::string message, SourcePosition position = {});

/// Either a value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic diagnostic) : state_(std::in_place_index<1>, std::move(diagnostic)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T& value() {
        assert(*this);
        return *std::get_if<0>(&state_);
    }
    const T& value() const {
        assert(*this);
        return *std::get_if<0>(&state_);
    }
    Diagnostic& error() {
        assert(!*this);
        return *std::get_if<1>(&state_);
    }
    const Diagnostic& error() const {
        assert(!*this);
        return *std::get_if<1>(&state_);
    }

private:
    std::variant<T, Diagnostic> state_;
};

struct Nothing {};
/// The result of a function that returns no value: `return Nothing();` or `return error("...")`.
using Status = Result<Nothing>;

}  // namespace partita
