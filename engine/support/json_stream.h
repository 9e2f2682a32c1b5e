// A JSON document written piece by piece: the same bytes as nlohmann's dump of the whole with an indent, with only the
// current element in memory.
//
// Costs the dump of each element, and a pass over its text for the indent. Belongs to one thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/support/json_text.h"

namespace partita {

class JsonStream {
public:
    /// Receives pieces of some kilobytes; with `ascii`, none ends inside a character.
    using Sink = std::function<void(std::string_view)>;

    /// `ascii`: writes other characters as \u.... Invalid UTF-8 is replaced.
    JsonStream(Sink sink, int indent, bool ascii) : sink_(std::move(sink)), indent_(size_t(indent)), ascii_(ascii) {}

    /// Begins the document itself, or an item of the open list.
    void begin_object() { begin('{'); }
    void begin_object(std::string_view key) { begin('{', key); }
    void begin_list(std::string_view key) { begin('[', key); }
    /// Closes what was begun last; the document ends with its outermost object, and a line end.
    void end();

    template <class Json>
    void member(std::string_view key, const Json& value) {
        start_element();
        write_key(key);
        write_value(value);
    }
    template <class Json>
    void item(const Json& value) {
        start_element();
        write_value(value);
    }

private:
    struct Level {
        char bracket;
        bool empty = true;
    };

    void begin(char bracket);
    void begin(char bracket, std::string_view key);
    void start_element();
    void new_line();
    void write_key(std::string_view key);
    template <class Json>
    void write_value(const Json& value) {
        write_indented(value.dump(int(indent_), ' ', ascii_, Json::error_handler_t::replace));
    }
    void write_indented(std::string_view text);

    Sink sink_;
    size_t indent_;
    bool ascii_;
    std::vector<Level> levels_;
    std::string buffer_;
};

}  // namespace partita
