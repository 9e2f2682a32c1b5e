#include "engine/exporters/handout_page.h"

#include <algorithm>

#include "engine/support/utf8.h"

namespace partita {
namespace {

constexpr double kSideMargin = 54, kHeadMargin = 50, kFootMargin = 54;
constexpr const char *kBlack = "#1b222b", *kGrey = "#5c6875", *kRule = "#b6bfca", *kCodeGround = "#f3f5f8";
constexpr PictureText kBodyText{10.5, false}, kCodeText{9.5, false}, kSmallText{9, false}, kHeadingText{13, true},
    kLargestText{20, true};
constexpr double kLeading = 1.45;  ///< of the size
constexpr double kPointsPerUnit = 0.75, kSmallestPicture = 0.42;
/// Of its size: so much smaller a picture may be to stay on the page.
constexpr double kRatherSmaller = 0.75;

bool starts(std::string_view line, std::string_view with) { return line.starts_with(with); }

/// Returns the length of a list's mark at the beginning of a line; 0 if there is none.
size_t list_mark(std::string_view line) {
    if (starts(line, "- ") || starts(line, "* ")) return 2;
    size_t digits = 0;
    while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
    return digits > 0 && digits < 4 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

}  // namespace

HandoutPages::HandoutPages(PaperSize paper, const std::string& title)
    : paper_(size_of(paper)), file_(paper_.x, paper_.y), surface_(file_.cairo()), left_(kSideMargin),
      right_(paper_.x - kSideMargin), top_(kHeadMargin), bottom_(paper_.y - kFootMargin), y_(kHeadMargin) {
    file_.set_title(title);
}

void HandoutPages::begin_page(const std::string& footer) {
    if (!empty_) end_page();
    footer_ = footer;
}

void HandoutPages::end_page() {
    ++page_;
    draw_line(left_, right_, bottom_ + 14, kRule);
    const double base_line = bottom_ + 28;
    surface_.text({left_, base_line}, TextAnchor::Left, kSmallText, kGrey,
                  shortened_to(clean_text(footer_), kSmallText, right_ - left_ - 60));
    surface_.text({right_, base_line}, TextAnchor::Right, kSmallText, kGrey, std::to_string(page_));
    file_.end_page();
    y_ = top_;
    empty_ = true;
}

void HandoutPages::need(double height) {
    if (room() < height && !empty_) end_page();
}

void HandoutPages::draw_line(double from, double to, double y, const char* colour) {
    const double third = (to - from) / 3;
    const LayoutPoint points[] = {{from, y}, {from + third, y}, {to - third, y}, {to, y}};
    surface_.curve(points, {colour, 0.7});
}

void HandoutPages::title(const std::string& text, const std::string& line) {
    paragraph(text, {kLargestText, kBlack});
    y_ += 2;
    if (!line.empty()) paragraph(line, {{11, false}, kGrey});
    y_ += 8;
}

void HandoutPages::heading(const std::string& text) {
    y_ += empty_ ? 0 : 8;
    need(70);
    paragraph(text, {kHeadingText, kBlack});
    y_ += 2;
}

void HandoutPages::note(const std::string& text) {
    paragraph(text, {kSmallText, kGrey, true});
    y_ += 4;
}

void HandoutPages::choice(const std::string& text) {
    need(18);
    surface_.box({left_ + 2, y_ + 3, left_ + 12, y_ + 13}, 1.5, nullptr, 1, {kGrey, 1});
    set(words_of(text, {kBodyText, kBlack}), 22);
    y_ += 4;
}

void HandoutPages::lines(const std::string& text, int count) {
    constexpr double kHeight = 24;
    for (int i = 0; i < count; ++i) {
        need(kHeight);
        const double base_line = y_ + kHeight - 7;
        double from = left_;
        if (i == 0 && !text.empty()) {
            surface_.text({left_, base_line}, TextAnchor::Left, kBodyText, kBlack, clean_text(text));
            from += surface_.fonts().width(file_.cairo(), clean_text(text), kBodyText) + 8;
        }
        draw_line(from, right_, base_line + 2, kRule);
        y_ += kHeight;
        empty_ = false;
    }
    y_ += 4;
}

void HandoutPages::fields(const std::string& left, const std::string& right) {
    const double base_line = y_ + 14, middle = left_ + (right_ - left_) * 0.65;
    const auto field = [&](const std::string& name, double from, double to) {
        surface_.text({from, base_line}, TextAnchor::Left, kSmallText, kGrey, clean_text(name));
        draw_line(from + surface_.fonts().width(file_.cairo(), clean_text(name), kSmallText) + 6, to, base_line + 2,
                  kRule);
    };
    field(left, left_, middle - 14);
    field(right, middle, right_);
    y_ += 30;
    empty_ = false;
}

void HandoutPages::markdown(const std::string& text) {
    std::string open;  // the paragraph so far
    const auto close = [&] {
        if (!open.empty()) {
            paragraph(open, {kBodyText, kBlack});
            y_ += 5;
        }
        open.clear();
    };
    std::string_view rest = text;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (starts(line, "```")) {
            close();
            const size_t fence = std::min(rest.find("```"), rest.size());
            code(rest.substr(0, fence));
            rest.remove_prefix(std::min(rest.find('\n', fence), rest.size()));
        } else if (line.find_first_not_of(' ') == std::string_view::npos) {
            close();
        } else if (line.front() == '#') {
            close();
            heading(std::string(line.substr(std::min(line.find_first_not_of("# "), line.size()))));
        } else if (const size_t mark = list_mark(line)) {
            close();
            need(18);
            surface_.text({left_ + 4, y_ + kBodyText.size * 1.12}, TextAnchor::Left, kBodyText, kBlack,
                          mark == 2 ? "•" : std::string(line.substr(0, mark)));
            paragraph(std::string(line.substr(mark)), {kBodyText, kBlack}, 20);
        } else {
            open += (open.empty() ? "" : " ") + std::string(line);
        }
    }
    close();
}

void HandoutPages::code(std::string_view text) {
    constexpr double kLine = kCodeText.size * 1.4;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        need(kLine + 4);
        surface_.box({left_, y_, right_, y_ + kLine + 0.5}, 0, kCodeGround, 1, {});
        surface_.set_colour(kBlack);
        surface_.fonts().draw(file_.cairo(), {left_ + 8, y_ + kCodeText.size * 1.1}, clean_text(text.substr(0, end)),
                              kCodeText, false, true);
        y_ += kLine;
        empty_ = false;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    y_ += 6;
}

void HandoutPages::paragraph(const std::string& text, const Style& style, double indent) {
    set(words_of(text, style), indent);
}

/// Words of one weight each; a letter of East Asia is a word, because lines may break there, but not before a sign that
/// closes or behind one that opens.
void HandoutPages::add_words(const std::string& run, const Style& style, bool space, std::vector<Word>& words) {
    constexpr char32_t kFirstWide = 0x2E80;
    bool join = false, opened = false;  // to the word before
    for_each_letter(run, [&](std::string_view letter, char32_t code) {
        if (letter == " " || letter == "\n" || letter == "\t") {
            space = true;
            join = opened = false;
            return;
        }
        const bool wide = code >= kFirstWide;
        const bool closes = std::string_view("，。、；：？！）」』”’").find(letter) != std::string_view::npos && wide;
        if ((join && !wide && !space) || opened || (closes && !words.empty())) words.back().text += letter;
        else words.push_back({std::string(letter), style, space, 0});
        join = !wide || closes;
        opened = wide && std::string_view("（「『《").find(letter) != std::string_view::npos;
        space = false;
    });
}

std::vector<HandoutPages::Word> HandoutPages::words_of(const std::string& text, const Style& style) {
    std::vector<Word> words;
    const std::string clean = clean_text(text);
    std::string run;
    Style now = style;
    const auto flush = [&] {
        const bool space = !run.empty() && run.front() == ' ';
        add_words(run, now, space, words);
        const bool after = !run.empty() && run.back() == ' ';
        run.clear();
        if (after) run = " ";
    };
    for (size_t i = 0; i < clean.size(); ++i) {
        const bool twice = clean.compare(i, 2, "**") == 0;
        if (clean[i] == '`') {
            flush();
            now.fixed = !now.fixed;
            now.text.size = now.fixed ? style.text.size * 0.92 : style.text.size;
        } else if (!now.fixed && twice) {
            flush();
            now.text.bold = !now.text.bold;
            ++i;
        } else if (!now.fixed && clean[i] == '*') {
            flush();
            now.italic = !now.italic;
        } else if (!now.fixed && clean[i] == '\\' && i + 1 < clean.size()) {
            run += clean[++i];
        } else {
            run += clean[i];
        }
    }
    flush();
    for (Word& word : words)
        word.width =
            surface_.fonts().width(file_.cairo(), word.text, word.style.text, word.style.italic, word.style.fixed);
    return words;
}

void HandoutPages::set(const std::vector<Word>& words, double indent) {
    const double from = left_ + indent;
    size_t next = 0;
    while (next < words.size()) {
        double height = 0, x = from;
        size_t end = next;
        for (; end < words.size(); ++end) {
            const Word& word = words[end];
            const double gap = word.space && end > next ? word.style.text.size * 0.3 : 0;
            if (end > next && x + gap + word.width > right_) break;
            x += gap + word.width;
            height = std::max(height, word.style.text.size * kLeading);
        }
        need(height);
        x = from;
        for (size_t i = next; i < end; ++i) {
            const Word& word = words[i];
            if (word.space && i > next) x += word.style.text.size * 0.3;
            surface_.set_colour(word.style.colour);
            surface_.fonts().draw(file_.cairo(), {x, y_ + height * 0.76}, word.text, word.style.text, word.style.italic,
                                  word.style.fixed);
            x += word.width;
        }
        y_ += height;
        empty_ = false;
        next = end;
    }
}

void HandoutPages::piece(const Picture& picture, const PagePiece& piece) {
    draw_piece(surface_, picture, piece);
    empty_ = false;
}

void HandoutPages::need_for(const Picture& picture, double text) {
    const double wide = (right_ - left_) / (picture.width + 2 * kPictureMargin);
    const double height = text + kRatherSmaller * std::min(kPointsPerUnit, wide) * picture.height;
    if (height < bottom_ - top_) need(height);
}

void HandoutPages::picture(const Picture& picture) {
    const LayoutBox area{-kPictureMargin, -kPictureMargin, picture.width + kPictureMargin,
                         picture.height + kPictureMargin};
    const double width = area.right - area.left, height = area.bottom - area.top, wide = (right_ - left_) / width;
    const double legend = picture.legend.empty() ? 0 : heading_height(picture, right_ - left_) - 24;
    const auto fits = [&](double points) { return std::min({kPointsPerUnit, wide, (points - legend) / height}); };
    if (fits(room()) < kRatherSmaller * fits(bottom_ - top_)) need(bottom_ - top_);  // rather a page of its own
    if (legend > 0) y_ += draw_legend(surface_, picture, {left_, y_}, right_ - left_);
    const double scale = std::min({kPointsPerUnit, wide, room() / height});
    if (scale >= kSmallestPicture) {
        const double x = (left_ + right_ - width * scale) / 2;
        piece(picture, {area, 0, {x, y_, x + width * scale, y_ + height * scale}});
        y_ += height * scale + 8;
        return;
    }
    std::vector<LayoutBox> nodes;
    for (const PictureNode& node : picture.nodes)
        nodes.push_back({node.place.x - node.width / 2, node.place.y - node.height / 2, node.place.x + node.width / 2,
                         node.place.y + node.height / 2});
    if (!empty_) end_page();
    int page = 0;
    const std::vector<PagePiece> pieces =
        divide_over_pages(std::move(nodes), area, {left_, top_, right_, bottom_}, kPointsPerUnit);
    for (const PagePiece& each : pieces) {
        if (each.page != page) end_page();
        page = each.page;
        piece(picture, each);
    }
    y_ = bottom_;
}

Result<std::string> HandoutPages::finish() {
    if (!empty_) end_page();
    return file_.finish();
}

}  // namespace partita
