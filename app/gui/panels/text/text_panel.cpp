#include "app/gui/panels/text/text_panel.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTextBlock>

#include "app/gui/panels/text/large_text.h"
#include "app/gui/style/foreign_text.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/traversal.h"
#include "engine/session/session.h"

namespace partita {

namespace {

/// What stands in the lists of stages, in order: as Provenance calls them.
constexpr const char* kStages[] = {"input", "composite", "annotated", "merged", "partitioned", "opened"};
constexpr int kInput = 0, kPartitioned = 4;

int index_of(std::string_view stage) {
    const auto found = std::find(std::begin(kStages), std::end(kStages), stage);
    return found == std::end(kStages) ? kInput : int(found - std::begin(kStages));
}

/// Longer text is cut with a line that says so: an editor of lines gets slow.
constexpr size_t kLongestText = 4 << 20;
/// An editor lays out a whole line at once.
constexpr size_t kLongestLine = 4000;

/// `text` with the ends of long lines left out, and as much of it as can be shown.
QString shown_text(std::string_view text) {
    std::string shown;
    while (!text.empty() && shown.size() < kLongestText) {
        const size_t length = std::min(text.find('\n'), text.size());
        shown.append(text.substr(0, std::min(length, kLongestLine)));
        if (length > kLongestLine) shown += "…";
        text.remove_prefix(length);
        if (text.empty()) break;
        shown += '\n';
        text.remove_prefix(1);
    }
    if (!text.empty())
        shown += TextPanel::tr("\n… the text is too long to be shown; export it to read all of it").toStdString();
    return shown_message(shown);
}

}  // namespace

TextPanel::TextPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    row->addWidget(split);
    for (int i = 0; i < 2; ++i) {
        Side& side = sides_[i];
        auto* box = new QWidget;
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        side.stage = new QComboBox;
        side.stage->addItems({tr("Input"), tr("After composite"), tr("After annotate"), tr("After merge"),
                              tr("After partition"), tr("As read, before it was simplified")});
        side.stage->setAccessibleName(i == 0 ? tr("Stage on the left") : tr("Stage on the right"));
        side.stage->setCurrentIndex(i == 0 ? kInput : kPartitioned);
        auto* top = new QHBoxLayout;
        top->setContentsMargins(10, 4, 8, 4);
        top->addWidget(new QLabel(i == 0 ? tr("Before:") : tr("After:")));
        top->addWidget(side.stage);
        top->addStretch();
        column->addLayout(top);
        side.edit = new QPlainTextEdit;
        side.edit->setReadOnly(true);
        side.edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        side.edit->setLineWrapMode(QPlainTextEdit::NoWrap);
        side.edit->setFont(code_font());
        side.edit->setAccessibleName(i == 0 ? tr("Relay text before") : tr("Relay text after"));
        side.highlighter = new LineHighlighter(side.edit->document(), theme_);
        side.large = new LargeText(*side.edit, document_.jobs());
        column->addWidget(side.edit, 1);
        split->addWidget(box);
        connect(side.stage, &QComboBox::currentIndexChanged, this, [this, i] { refreshSide(sides_[i]); });
        connect(side.stage, &QComboBox::activated, this,
                [this, i](int stage) { sides_[i].chosen = stage != kPartitioned; });
        connect(side.edit, &QPlainTextEdit::cursorPositionChanged, this, [this, i] { selectFromLine(sides_[i]); });
    }
    connect(&document_, &Document::opened, this, &TextPanel::refresh);
    connect(&document_, &Document::flowChanged, this, &TextPanel::refresh);
    connect(&document_, &Document::selectionChanged, this, [this] {
        for (Side& side : sides_) markSelection(side);
    });
}

void TextPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    for (Side& side : sides_) {
        side.edit->setFont(code_font());  // the size of type comes with the theme
        side.highlighter->setTheme(theme);
        if (side.large->shown()) side.shown = nullptr;  // its colours are made anew
    }
    refresh();
    for (Side& side : sides_) markSelection(side);
}

void TextPanel::showStage(const QString& stage) {
    sides_[1].stage->setCurrentIndex(index_of(stage.toStdString()));
    sides_[1].chosen = sides_[1].stage->currentIndex() != kPartitioned;
}

void TextPanel::setOnScreen(bool on_screen) {
    on_screen_ = on_screen;
    if (on_screen) refresh();
}

ModulePtr TextPanel::moduleOf(int stage) const {
    const std::string name = kStages[stage];
    if (name == "input") return document_.shownModule();
    if (name == "opened") return document_.sourceModule();
    if (name == "partitioned") return document_.partitioned();
    return document_.flow() ? document_.flow()->stage(name) : nullptr;
}

void TextPanel::refresh() {
    // Before anything was partitioned, the last stage there is says most.
    if (document_.flow() && !document_.partitioned() && sides_[1].stage->currentIndex() == kPartitioned)
        sides_[1].stage->setCurrentIndex(
            document_.flow()->stages.empty() ? kInput : index_of(document_.flow()->stages.back().name));
    else if (document_.partitioned() && sides_[1].stage->currentIndex() != kPartitioned && !sides_[1].chosen)
        sides_[1].stage->setCurrentIndex(kPartitioned);
    if (!on_screen_) return;
    for (Side& side : sides_) refreshSide(side);
}

/// Of what the shown module was simplified from, by ExprId: the expressions of the shown one that came of it; empty for
/// another module.
static std::vector<std::vector<ExprId>> made_of(const Module& module, const ModulePtr& shown) {
    std::vector<std::vector<ExprId>> made;
    if (module.derived() || &module == shown.get()) return made;
    made.resize(module.size());
    for (uint32_t i = 0; i < shown->size(); ++i)
        if (const ExprId source = shown->source(ExprId(i)); source.valid() && source.value < made.size())
            made[source.value].push_back(ExprId(i));
    return made;
}

/// The text and, for each line, an expression of the shown module that stands there. The printed text is read again
/// for that: the same graph in the same order has the same expressions, and the reader notes their places.
PrintedModule print_module(const ModulePtr& module, const ModulePtr& shown, bool types) {
    RelayPrintOptions options;
    options.types = types;
    options.show_metadata = false;
    const std::string text = print_relay(*module, options);
    PrintedModule printed;
    printed.text = shown_text(text);
    if (text.size() > kLongestText) return printed;
    Result<Module> again = parse_relay(text);
    if (!again) return printed;
    std::vector<ExprId> left, right;
    for (const GlobalFunction& global : module->functions_by_name()) left.push_back(global.function);
    for (const GlobalFunction& global : again->functions_by_name()) right.push_back(global.function);
    left = post_order(*module, left);
    right = post_order(*again, right);
    if (left.size() != right.size()) return printed;
    const std::vector<std::vector<ExprId>> made = made_of(*module, shown);
    for (size_t i = 0; i < left.size(); ++i) {
        if (module->kind(left[i]) != again->kind(right[i])) return printed;
        const ExprId origin = module == shown ? left[i] : module->origin(left[i]);
        const ExprKind kind = module->kind(left[i]);
        const bool stands = kind == ExprKind::Call || kind == ExprKind::Tuple || kind == ExprKind::Projection;
        const SourcePosition place = again->position(right[i]);
        if (!stands || !place.line) continue;
        if (!made.empty())
            for (const ExprId expr : made[left[i].value]) printed.lines.push_back({place.line, expr.value});
        else if (origin.valid()) printed.lines.push_back({place.line, origin.value});
    }
    std::sort(printed.lines.begin(), printed.lines.end());
    return printed;
}

void TextPanel::refreshSide(Side& side) {
    if (!on_screen_) return;
    const ModulePtr module = moduleOf(side.stage->currentIndex());
    if (side.job) document_.jobs().cancel(side.job);
    side.job = 0;
    if (!module) {
        side.shown = nullptr;
        side.lines.clear();
        showText(side, QString());
        side.edit->setPlaceholderText(document_.isOpen() ? tr("This stage was not made yet.") : QString());
        return;
    }
    if (side.shown == module) return markSelection(side);
    side.job = document_.jobs().start<PrintedModule>(
        tr("Printing Relay text"), this,
        [module, shown = document_.shownModule()](const JobContext&) { return print_module(module, shown, true); },
        [this, &side, module](PrintedModule printed) {
            side.job = 0;
            side.shown = module;
            side.lines = std::move(printed.lines);
            showText(side, printed.text);
        });
}

void TextPanel::showText(Side& side, const QString& text) {
    if (text.size() > kShortText) {
        side.large->show(text, theme_, [this, &side] { markSelection(side); });
        return;
    }
    marking_ = true;
    QTextDocument* document = side.large->reset();
    document->setPlainText(text);
    marking_ = false;
    markSelection(side);
}

void TextPanel::markSelection(Side& side) {
    if (!on_screen_) return;
    QList<QTextEdit::ExtraSelection> marks;
    std::vector<ExprId> selection = document_.selection();
    std::sort(selection.begin(), selection.end());
    int first = -1;
    for (const auto& [line, expr] : side.lines) {
        if (!std::binary_search(selection.begin(), selection.end(), ExprId(expr))) continue;
        const QTextBlock block = side.edit->document()->findBlockByNumber(int(line) - 1);
        if (first < 0) first = int(line) - 1;
        QTextEdit::ExtraSelection mark;
        mark.format.setBackground(blend(theme_.accent, theme_.base, theme_.dark ? 0.35 : 0.18));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.cursor = QTextCursor(block);
        marks.append(mark);
        if (marks.size() > 100) break;  // each costs the window a tenth of a millisecond
    }
    side.edit->setExtraSelections(marks);
    if (first < 0 || side.edit->hasFocus()) return;
    marking_ = true;
    side.edit->setTextCursor(QTextCursor(side.edit->document()->findBlockByNumber(first)));
    side.edit->centerCursor();
    marking_ = false;
}

void TextPanel::selectFromLine(Side& side) {
    if (marking_ || !side.edit->hasFocus()) return;
    const uint32_t line = uint32_t(side.edit->textCursor().blockNumber()) + 1;
    const auto found = std::upper_bound(side.lines.begin(), side.lines.end(), std::make_pair(line, ~0u));
    if (found == side.lines.begin() || (found - 1)->first != line) return;
    document_.setSelection({ExprId((found - 1)->second)});
}

}  // namespace partita
