// Hand-outs: pages of a PDF with texts, pictures to draw on and questions, and the solutions on pages of their own at
// the end. Text is Markdown as far as lessons use it: headings, paragraphs, lists, code blocks, bold, italic and code.
//
// Linear in the texts, after the layout of the pictures. Texts and names may be of untrusted files.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/exporters/picture.h"

namespace partita {

struct HandoutBlock {
    enum class Kind : uint8_t {
        Text,      ///< Markdown
        Note,      ///< small: what to do on paper
        Question,  ///< a numbered heading
        Picture,   ///< as it is, with its legend
        Empty,     ///< the picture without backends and regions
        Choice,    ///< a line with a box to tick
        Lines,     ///< `text` and empty lines to write on
    };
    Kind kind = Kind::Text;
    std::string text;
    int lines = 0;                           ///< of Lines
    std::shared_ptr<const Picture> picture;  ///< of Picture and Empty
};

struct Handout {
    std::string title, line;
    std::vector<HandoutBlock> exercises, solutions;
};

/// What stands on every hand-out, in the reader's language.
struct HandoutWords {
    std::string name = "Name", date = "Date", solutions = "Solutions", backends = "Backends", none = "default";
    std::string predict =
        "Which backend takes which operator, and which operators are compiled together as one region?";
    std::string draw = "Write its backend at each operator, and draw a line round each region.";
};

/// Returns the PDF: each hand-out begins a page, and the solutions of all follow at the end.
Result<std::string> write_handouts(std::span<const Handout> handouts, PaperSize paper, const HandoutWords& words,
                                   const CancelToken& cancel);
/// Returns a hand-out on how a graph is divided. The subject should have backends.
Result<Handout> predict_handout(const ExportSubject& subject, const HandoutWords& words);

}  // namespace partita
