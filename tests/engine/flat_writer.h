// Writes flatbuffers for tests: a value is described as a tree, a parent is written in front of its children.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace partita::flat_testing {

/// A number, a text, a vector or a table, as a field of a table or an element of a vector.
class Value {
public:
    template <class T>
    static Value number(T value) {
        return Value(Kind::Number, std::string(reinterpret_cast<const char*>(&value), sizeof(T)), sizeof(T));
    }
    static Value text(std::string_view text) { return Value(Kind::Text, std::string(text), 1); }
    template <class T>
    static Value numbers(const std::vector<T>& list) {
        return Value(Kind::Numbers, std::string(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T)),
                     sizeof(T));
    }
    static Value list(std::vector<Value> elements) {
        Value value(Kind::List, {}, 4);
        for (size_t i = 0; i < elements.size(); ++i) value.fields_.emplace(int(i), std::move(elements[i]));
        return value;
    }
    static Value table(std::map<int, Value> fields) {
        Value value(Kind::Table, {}, 4);
        value.fields_ = std::move(fields);
        return value;
    }

    /// Returns the flatbuffer whose root this table is.
    std::string file(std::string_view identifier) const {
        std::string bytes(4, '\0');
        bytes += std::string(identifier).substr(0, 4);
        bytes.resize(8);
        patch(bytes, 0, write(bytes));
        return bytes;
    }

private:
    enum class Kind { Number, Text, Numbers, List, Table };
    Value(Kind kind, std::string bytes, size_t element) : kind_(kind), bytes_(std::move(bytes)), element_(element) {}

    static void align(std::string& bytes, size_t to, size_t behind = 0) {
        while ((bytes.size() + behind) % to) bytes += '\0';
    }
    template <class T>
    static void append(std::string& bytes, T value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    static void patch(std::string& bytes, size_t place, size_t target) {
        const uint32_t offset = uint32_t(target - place);
        std::memcpy(bytes.data() + place, &offset, 4);
    }

    /// Appends what an offset leads to, and returns its place.
    size_t write(std::string& bytes) const {
        if (kind_ == Kind::Table) return write_table(bytes);
        align(bytes, 8, 4);
        const size_t place = bytes.size();
        append(bytes, uint32_t(kind_ == Kind::List ? fields_.size() : bytes_.size() / element_));
        if (kind_ == Kind::List) {
            const size_t first = bytes.size();
            bytes.resize(first + 4 * fields_.size());
            for (const auto& [index, element] : fields_) patch(bytes, first + 4 * size_t(index), element.write(bytes));
        } else bytes += bytes_ + (kind_ == Kind::Text ? std::string(1, '\0') : std::string());
        return place;
    }

    size_t write_table(std::string& bytes) const {
        // Each field takes 8 bytes, which aligns all of them.
        const int count = fields_.empty() ? 0 : fields_.rbegin()->first + 1;
        align(bytes, 4);
        const size_t list = bytes.size();
        append(bytes, uint16_t(4 + 2 * count));
        append(bytes, uint16_t(8 + 8 * count));
        for (int i = 0; i < count; ++i) append(bytes, uint16_t(fields_.contains(i) ? 8 + 8 * i : 0));
        align(bytes, 8);
        const size_t place = bytes.size();
        append(bytes, int32_t(place - list));
        bytes.resize(place + 8 + 8 * size_t(count));
        for (const auto& [index, field] : fields_) {
            const size_t at = place + 8 + 8 * size_t(index);
            if (field.kind_ == Kind::Number) std::memcpy(bytes.data() + at, field.bytes_.data(), field.bytes_.size());
            else patch(bytes, at, field.write(bytes));
        }
        return place;
    }

    Kind kind_;
    std::string bytes_;
    size_t element_;
    std::map<int, Value> fields_;
};

}  // namespace partita::flat_testing
