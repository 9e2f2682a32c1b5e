// Takes the words of Python's text one after the other, by what is expected; and texts of it in the form that TVM
// prints.
#pragma once

#include <string>
#include <string_view>

#include "engine/frontends/relax/scanner.h"

namespace partita::relax {

/// Throws SyntaxError at what is not as expected.
class TokenReader {
protected:
    static constexpr int kDeepest = 100;  ///< brackets, functions and ifs

    /// `text` must outlive this.
    explicit TokenReader(std::string_view text) : scanner_(text) {}

    const Token& next() const { return scanner_.next(); }
    Token take() { return scanner_.take(); }
    [[noreturn]] static void fail_at(const Token& token, const std::string& message);
    /// Also says what was found.
    [[noreturn]] void fail(const std::string& expected) const;
    bool take_if(std::string_view symbol);
    void expect(std::string_view symbol);
    Token expect_kind(Token::Kind kind, const char* what);
    std::string expect_name(const char* what = "a name");
    void expect_line_end();
    void skip_line();

    /// Counts the depth of what calls itself.
    class Level {
    public:
        explicit Level(TokenReader& reader);
        ~Level() { --reader_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        TokenReader& reader_;
    };

    /// Fails at a word of Python, or one that stands for a module of TVM: what is called so could not be written again.
    void check_free(std::string_view name) const;
    /// "R.nn.relu"
    std::string dotted();
    /// What stands between quotes, for between double quotes.
    static std::string escaped(std::string_view inside);
    static std::string quoted_as_is(std::string_view inside) { return "\"" + escaped(inside) + "\""; }
    static bool is_arithmetic(std::string_view symbol);
    /// The words of a text with the blanks that TVM prints.
    static std::string canonical(std::string_view words, const Token& at);
    /// "(...)" as it stands, with single blanks.
    std::string text_in_brackets();
    /// Up to the comma or bracket that ends it.
    std::string rest_of_item();
    /// Adds a word to a text with the blanks that TVM prints.
    static void append(std::string& text, const Token& token);

    Scanner scanner_;
    int depth_ = 0;
};

}  // namespace partita::relax
