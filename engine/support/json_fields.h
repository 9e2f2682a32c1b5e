// Takes members out of JSON objects, and remembers the first that is missing or invalid: for files with a fixed form.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/support/json_reader.h"

namespace partita {

class JsonFields {
public:
    /// `what` begins messages, and begins with an article: "a kept run"; `file` is their file.
    JsonFields(std::string what, std::string file) : what_(std::move(what)), file_(std::move(file)) {}

    /// Returns a number from 0 up; 0 after a fault, as the others return empty values.
    double number(const JsonValue& object, std::string_view key);
    /// Returns a number from 0 to `most`.
    double number(const JsonValue& object, std::string_view key, double most);
    int whole(const JsonValue& object, std::string_view key);
    std::string text(const JsonValue& object, std::string_view key);
    std::string text_or(const JsonValue& object, std::string_view key, std::string otherwise);
    const JsonValue& part(const JsonValue& object, std::string_view key, JsonValue::Kind kind);
    /// Fails unless the member `key` says that the document is of this kind and of the version `known`.
    void kind_and_version(const JsonValue& document, std::string_view key, int known);
    void fail(const JsonValue& place, const std::string& message);
    const std::optional<Diagnostic>& fault() const { return fault_; }

private:
    const JsonValue* member(const JsonValue& object, std::string_view key, JsonValue::Kind kind);

    const std::string what_, file_;
    std::optional<Diagnostic> fault_;
};

}  // namespace partita
