// Sets text and pictures on the pages of a hand-out, from top to bottom.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/exporters/cairo_surface.h"
#include "engine/layout/pages.h"

namespace partita {

class HandoutPages {
public:
    HandoutPages(PaperSize paper, const std::string& title);

    /// Begins a page, unless this one is empty. `footer` stands at its foot, with the page's number.
    void begin_page(const std::string& footer);
    void title(const std::string& text, const std::string& line);
    void heading(const std::string& text);
    void markdown(const std::string& text);
    void note(const std::string& text);
    void choice(const std::string& text);
    /// Empty lines to write on, the first after a text.
    void lines(const std::string& text, int count);
    /// Two lines side by side, for a name and a date.
    void fields(const std::string& left, const std::string& right);
    /// As large as it is on the screen, smaller if that saves a page, over several pages if it can't be read on one.
    void picture(const Picture& picture);
    /// Goes to the next page unless there is room for a text and a picture, a little smaller if need be.
    void need_for(const Picture& picture, double text);
    Result<std::string> finish();

private:
    struct Style {
        PictureText text;
        const char* colour;
        bool italic = false, fixed = false;
    };
    struct Word {
        std::string text;
        Style style;
        bool space = false;  ///< before it
        double width = 0;
    };
    void end_page();
    /// Goes to the next page unless there is that much room.
    void need(double height);
    double room() const { return bottom_ - y_; }
    void paragraph(const std::string& text, const Style& style, double indent = 0);
    void code(std::string_view text);
    std::vector<Word> words_of(const std::string& text, const Style& style);
    void add_words(const std::string& run, const Style& style, bool space, std::vector<Word>& words);
    void set(const std::vector<Word>& words, double indent);
    void draw_line(double from, double to, double y, const char* colour);
    void piece(const Picture& picture, const PagePiece& piece);

    LayoutPoint paper_;
    PdfFile file_;
    CairoSurface surface_;
    double left_, right_, top_, bottom_, y_;
    std::string footer_;
    int page_ = 0;
    bool empty_ = true;
};

}  // namespace partita
