// The language of Find and of gates: `op:nn.conv2d backend:default shape:*x3x* flops:>1e9`. Terms are joined by "and";
// a leading `-` turns a term round; `*` and `?` are wildcards, and the whole text must then match, else a part is
// enough; what stands between slashes, `name:/layer\.[0-3]\./`, is a regular expression of PCRE2; a term without a key
// looks at operators, attributes, types and names. Letters match in either case. Keys: op, name, backend, shape, type,
// attr, region; and with numbers flops and bytes: `>1G`, `<=4k`, `1e6..1e9`, `0`.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partita {

enum class QueryKey : uint8_t { Any, Op, Name, Backend, Shape, Type, Attribute, Region, Flops, Bytes };

/// What a query is asked about: a node of a graph, or a call.
class QuerySubject {
public:
    virtual ~QuerySubject() = default;
    /// Appends what has the key, in UTF-8; nothing where it has none.
    virtual void texts(QueryKey key, std::vector<std::string>& found) const = 0;
    /// Returns its number for Flops or Bytes.
    virtual std::optional<double> number(QueryKey key) const = 0;
};

class Query {
public:
    explicit Query(std::string_view text);

    bool empty() const { return terms_.empty(); }
    /// The first word whose regular expression or number can't be read, or "". Such a query matches nothing.
    std::string unreadable() const;
    /// The first word's key that is none ("colour" of `colour:red`), or "".
    std::string unknown_key() const;
    /// Whether it takes so long for each subject that nobody should wait for it.
    bool is_slow() const;
    /// An empty query matches nothing. For several threads at once.
    bool matches(const QuerySubject& subject) const;

private:
    struct Term {
        std::string word;
        QueryKey key = QueryKey::Any;
        bool negated = false, readable = true;
        std::shared_ptr<const void> pattern;  ///< compiled by PCRE2; null for numbers
        double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
        bool without_from = false, without_to = false;  ///< the ends of the range do not belong to it

        bool has(std::string_view text) const;
        bool has(double number) const;
    };
    static Term read_term(std::string_view word);
    static void read_range(std::string_view text, Term& term);
    static bool holds(const Term& term, const QuerySubject& subject);

    std::vector<Term> terms_;
};

}  // namespace partita
