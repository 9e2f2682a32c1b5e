#include "app/gui/window/menu_view.h"

#include <algorithm>

#include <QDockWidget>
#include <QMenu>

#include "app/gui/diff/diff_page.h"
#include "app/gui/editing/ask_dialog.h"
#include "app/gui/panels/numbers/numbers_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/look_dialogs.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"
#include "app/gui/window/places_seen.h"
#include "app/gui/window/presentation.h"
#include "app/gui/window/status_line.h"

namespace partita {

Command ViewMenu::menu() {
    return {
        "view", tr("&View"),
        joined(
            {zoomCommands(),
             showingCommands(),
             {Command("hide", tr("H&ide"), hidingCommands())},
             {Command("groups", tr("&Groups"), groupCommands()).belowLine(),
              Command("path", tr("Pa&th between two"), {Qt::Key_B},
                      tr("Highlight all that lies between two selected nodes; again: take it back"),
                      [this] { togglePath(); })
                  .unless(needs(&CommandReasons::twoNodes))},
             tabCommands(),
             modelCommands(),
             placeCommands(),
             {Command("bookmarks", tr("&Bookmarks"), bookmarkCommands(), [this](QMenu& menu) { fillBookmarks(menu); })},
             stepCommands(),
             {Command("panels", tr("&Panels"), {},
                      [this](QMenu& menu) {
                          for (QDockWidget* dock : parts_.panels.docks()) menu.addAction(dock->toggleViewAction());
                      })
                  .belowLine(),
              Command("to-graph", tr("To the &graph"), {tr("Ctrl+J")},
                      tr("The keyboard goes from a panel to the graph"),
                      [this] {
                          parts_.pages.forCurrentView([](GraphView& view) { view.setFocus(Qt::ShortcutFocusReason); });
                      })
                  .unless(needs(&CommandReasons::graph)),
              Command("presentation", tr("&Presentation"), {tr("Ctrl+Shift+F")},
                      tr("The graph alone, in large type and full screen; Esc: back"),
                      [this] { parts_.presentation.set(!parts_.presentation.isOn()); })
                  .checkedWhen([this] { return parts_.presentation.isOn(); }),
              Command("reveal-question", tr("Show the &question"), {Qt::Key_Q},
                      tr("In a presentation: what the lesson's page asks"),
                      [this] { parts_.presentation.revealQuestion(); })
                  .unless(needs(&CommandReasons::hiddenQuestion)),
              Command("answer-time", tr("A &minute to answer"), {tr("Shift+Q")},
                      tr("In a presentation: the time that is left, two minutes at first"),
                      [this] { parts_.presentation.addMinute(); })
                  .unless([this] { return parts_.presentation.isOn() ? QString() : tr("Present first"); })}})};
}

std::vector<Command> ViewMenu::zoomCommands() {
    const auto no_module = needs(&CommandReasons::module);
    const auto look = [this](void (GraphView::*work)()) {
        return [this, work] { parts_.pages.lookAround([work](GraphView& view) { (view.*work)(); }); };
    };
    return {
        Command("fit", tr("&Fit"), {Qt::Key_F}, tr("Show the whole graph"), look(&GraphView::fit))
            .withIcon("fit")
            .unless(no_module),
        Command("fit-selection", tr("Fit the &selection"), {Qt::SHIFT | Qt::Key_F}, tr("Show the selected operators"),
                [this] { parts_.pages.forCurrentView([](GraphView& view) { view.fitSelection(); }); })
            .unless(needs(&CommandReasons::selection)),
        Command("zoom-in", tr("Zoom &in"), {Qt::Key_Plus, Qt::Key_Equal, tr("Ctrl++")}, tr("Larger (also Ctrl+wheel)"),
                look(&GraphView::zoomIn))
            .withIcon("zoom-in")
            .unless(no_module),
        Command("zoom-out", tr("Zoom &out"), {Qt::Key_Minus, tr("Ctrl+-")}, tr("Smaller (also Ctrl+wheel)"),
                look(&GraphView::zoomOut))
            .withIcon("zoom-out")
            .unless(no_module),
        Command("zoom-actual", tr("&Actual size"), {tr("Ctrl+0")}, tr("One to one"), look(&GraphView::zoomToActualSize))
            .unless(no_module),
        Command("compare", tr("&Compare stages or files"), {tr("Ctrl+D")},
                tr("Two stages of the flow, or two files, side by side with what is different"),
                [this] { parts_.pages.compare(); })
            .unless([this] {
                return parts_.document.isOpen() ? parts_.panels.obstacleToAnswers() : parts_.reasons.module();
            }),
    };
}

Command ViewMenu::canvasSwitch(const char* id, const QString& text, const QList<QKeySequence>& keys,
                               const std::function<bool&(CanvasOptions&)>& option) {
    return Command(id, text, keys, {},
                   [this, option] {
                       Settings settings = parts_.settings;
                       option(settings.canvas) = !option(settings.canvas);
                       parts_.window.applySettings(settings);
                   })
        .checkedWhen([this, option] { return option(parts_.settings.canvas); });
}

std::vector<Command> ViewMenu::showingCommands() {
    return {
        Command("heat", tr("&Heat of the last run"), {Qt::Key_H}, tr("Colour operators by the time they took"),
                [this] { setHeat(!parts_.pages.showsHeat()); })
            .withIcon("heat")
            .unless([this] {
                return !parts_.reasons.module().isEmpty() ? parts_.reasons.module()
                       : parts_.document.runOutcome()     ? QString()
                                                          : tr("Run the module first");
            })
            .checkedWhen([this] { return parts_.pages.showsHeat(); })
            .belowLine(),
        Command(
            "regret-heat", tr("Heat by &loss elsewhere"), {Qt::SHIFT | Qt::Key_H},
            tr("Colour operators by what a run would take more if they were on another backend: after Place by time"),
            [this] {
                const bool on = !parts_.pages.showsRegretHeat();
                setHeat(false);
                if (on) parts_.panels.numbers().endHeat();
                parts_.pages.setRegretHeat(on);
                parts_.commands.update(QStringLiteral("regret-heat"));
            })
            .unless([this] {
                return !parts_.reasons.module().isEmpty() ? parts_.reasons.module()
                       : parts_.pages.hasPlaced()         ? QString()
                                                          : tr("Place by time first (Ctrl+Shift+B)");
            })
            .checkedWhen([this] { return parts_.pages.showsRegretHeat(); }),
        canvasSwitch("weights", tr("&Weights and constants"), {Qt::Key_W},
                     [](CanvasOptions& options) -> bool& { return options.model.show_weights; }),
        canvasSwitch("names", tr("&Names of operators"), {tr("Ctrl+U")},
                     [](CanvasOptions& options) -> bool& { return options.model.show_names; }),
        canvasSwitch("left-to-right", tr("From left to ri&ght"), {tr("Ctrl+K")},
                     [](CanvasOptions& options) -> bool& { return options.left_to_right; }),
        canvasSwitch("edge-types", tr("&Types on edges"), {Qt::Key_T},
                     [](CanvasOptions& options) -> bool& { return options.edge_types; }),
        canvasSwitch("minimap", tr("&Overview"), {Qt::Key_O},
                     [](CanvasOptions& options) -> bool& { return options.minimap; }),
        canvasSwitch("edge-widths", tr("&Widths of edges by bytes"), {},
                     [](CanvasOptions& options) -> bool& { return options.edge_widths; }),
        Command("node-attributes", tr("&Attributes on nodes…"), {},
                tr("Which attributes stand on the nodes, by operator"),
                [this] {
                    chooseLook([this](const auto& changed) {
                        return new NodeAttributesDialog(parts_.document, parts_.settings.canvas.model.attributes,
                                                        changed, &parts_.window);
                    });
                }),
        Command("query-colours", tr("&Colours by query…"), {},
                tr("A colour of its own for what each of some queries finds"),
                [this] {
                    chooseLook([this](const auto& changed) {
                        return new QueryColoursDialog(parts_.settings.canvas.query_colours, parts_.theme, changed,
                                                      &parts_.window);
                    });
                }),
    };
}

/// Opens a dialog that changes how the canvas looks while one looks at it.
void ViewMenu::chooseLook(const std::function<QDialog*(const ChangeLook&)>& make) {
    QDialog* dialog = make([this](const std::function<void(CanvasOptions&)>& change) {
        Settings settings = parts_.settings;
        change(settings.canvas);
        parts_.window.applySettings(settings);
    });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

std::vector<Command> ViewMenu::hidingCommands() {
    return {
        canvasSwitch("hide-casts", tr("&Casts"), {},
                     [](CanvasOptions& options) -> bool& { return options.model.hide_casts; }),
        canvasSwitch("hide-shapes", tr("&Reshapes and transposes"), {},
                     [](CanvasOptions& options) -> bool& { return options.model.hide_shapes; }),
        canvasSwitch("hide-quantization", tr("&Quantize and dequantize"), {},
                     [](CanvasOptions& options) -> bool& { return options.model.hide_quantization; }),
    };
}

std::vector<Command> ViewMenu::groupCommands() {
    const auto kind = [this](Grouping grouping, const char* id, const QString& text, const QString& tip) {
        return Command(id, text, {}, tip,
                       [this, grouping] {
                           Settings settings = parts_.settings;
                           settings.canvas.grouping = grouping;
                           parts_.window.applySettings(settings);
                       })
            .checkedWhen([this, grouping] { return parts_.settings.canvas.grouping == grouping; })
            .oneOfMany();
    };
    const auto no_graph = needs(&CommandReasons::graph);
    const auto on_graph = [this](const std::function<void(GraphPage&)>& work) {
        return [this, work] {
            if (GraphPage* page = parts_.pages.current(); page && page->view().hasGraph()) work(*page);
        };
    };
    return {
        kind(Grouping::Automatic, "group-automatic", tr("&Automatic"),
             tr("Groups for graphs that are too large to be read as they are")),
        kind(Grouping::None, "group-none", tr("&None"), tr("Every operator for itself")),
        kind(Grouping::Regions, "group-regions", tr("By &region"), tr("Each region as one node")),
        kind(Grouping::Scopes, "group-scopes", tr("By name &scope"),
             tr("By names such as layer1/conv2, where the file has them")),
        kind(Grouping::Structure, "group-structure", tr("By repeated &structure"),
             tr("Blocks that come again and again as one node each")),
        Command("collapse", tr("&Close the group"), {Qt::Key_C}, tr("Close the group round the current node"),
                on_graph([](GraphPage& page) {
                    if (page.view().currentNode() >= 0) page.collapseAround(uint32_t(page.view().currentNode()));
                }))
            .unless(no_graph)
            .belowLine(),
        Command("expand-all", tr("&Open all groups"), {},
                tr("Show every operator; this may take a while and can be stopped"), on_graph(&GraphPage::expandAll))
            .unless(no_graph),
        Command("collapse-all", tr("Close a&ll groups"), {}, tr("Show the outermost groups"),
                on_graph(&GraphPage::collapseAll))
            .unless(no_graph),
    };
}

std::vector<Command> ViewMenu::tabCommands() {
    return {
        Command("close-tab", tr("Close the ta&b"), {QKeySequence::Close}, tr("Close this function's tab"),
                [this] { parts_.pages.closeCurrent(); }),
        Command("next-tab", tr("Next tab"), {tr("Ctrl+PgDown")}, tr("Show the next function"),
                [this] { parts_.pages.step(1); }),
        Command("previous-tab", tr("Previous tab"), {tr("Ctrl+PgUp")}, tr("Show the function before"),
                [this] { parts_.pages.step(-1); }),
        Command("up", tr("Back to the &caller"), {Qt::Key_Backspace},
                tr("Show the function from which this one was opened"), [this] { parts_.pages.openCaller(); }),
    };
}

std::vector<Command> ViewMenu::modelCommands() {
    const auto no_other = needs(&CommandReasons::otherModel);
    return {
        Command("next-model", tr("Next model"), {tr("Ctrl+Tab")}, tr("Show the model in the next tab"),
                [this] { emit parts_.window.tabStepWanted(1); })
            .unless(no_other),
        Command("previous-model", tr("Previous model"), {tr("Ctrl+Shift+Tab")}, tr("Show the model in the tab before"),
                [this] { emit parts_.window.tabStepWanted(-1); })
            .unless(no_other),
    };
}

std::vector<Command> ViewMenu::placeCommands() {
    const auto none = [this](int by, const QString& reason) {
        return [this, by, reason] {
            if (!parts_.document.isOpen()) return parts_.reasons.module();
            return places_.canGo(by) ? QString() : reason;
        };
    };
    return {
        Command("back", tr("Bac&k to the place before"), {tr("Alt+Left")},
                tr("Select again what was selected before, where that was"), [this] { places_.go(-1); })
            .unless(none(-1, tr("Nothing was selected before"))),
        Command("forward", tr("For&ward to the next place"), {tr("Alt+Right")},
                tr("Select again what was left by going back"), [this] { places_.go(1); })
            .unless(none(1, tr("Nobody went back from another place"))),
    };
}

std::vector<Command> ViewMenu::bookmarkCommands() {
    const auto no_graph = needs(&CommandReasons::graph);
    return {
        Command("bookmark", tr("&Bookmark"), {Qt::Key_M},
                tr("Mark the selected operator to find it again; again: take the mark off"),
                [this] { parts_.document.toggleBookmark(parts_.document.selection().front()); })
            .unless(needs(&CommandReasons::selection)),
        Command("note", tr("N&ote…"), {Qt::SHIFT | Qt::Key_M},
                tr("Write about the selected operator; the note is kept in the project and stands in the report"),
                [this] { writeNote(); })
            .unless(needs(&CommandReasons::selection)),
        Command("next-bookmark", tr("&Next bookmark"), {Qt::Key_N}, tr("Go to the next marked operator"),
                [this] { stepBookmark(1); })
            .unless(no_graph),
        Command("previous-bookmark", tr("&Previous bookmark"), {Qt::SHIFT | Qt::Key_N},
                tr("Go to the marked operator before"), [this] { stepBookmark(-1); })
            .unless(no_graph),
    };
}

std::vector<Command> ViewMenu::stepCommands() {
    const auto command = [this](const char* id, const QString& text, const QKeySequence& key, const QString& tip,
                                void (StepsPanel::*work)()) {
        return Command(id, text, {key}, tip,
                       [this, work] {
                           if (!parts_.presentation.isOn()) parts_.panels.show(&parts_.panels.steps());
                           (parts_.panels.steps().*work)();
                       })
            .unless(needs(&CommandReasons::steps));
    };
    return {
        command("step-forward", tr("Step forward"), Qt::Key_F11, tr("The next decision of the passes"),
                &StepsPanel::stepForward)
            .belowLine(),
        command("step-back", tr("Step back"), Qt::SHIFT | Qt::Key_F11, tr("The decision before"),
                &StepsPanel::stepBack),
        command("play", tr("Play or pause the steps"), Qt::Key_F12, tr("Play the decisions of the passes"),
                &StepsPanel::togglePlaying),
        command("next-breakpoint", tr("On to the next breakpoint"), tr("Ctrl+F12"),
                tr("The next decision of a rule with a breakpoint"), &StepsPanel::jumpToBreakpoint),
        command("next-line", tr("On to the next line of the rule"), tr("Ctrl+F11"),
                tr("The next line that a rule in Python reaches for the call at hand"), &StepsPanel::nextLine),
        command("watch", tr("Watch an expression…"), {},
                tr("Each step tells what an expression of the rule language is for its call"),
                &StepsPanel::askForWatch),
    };
}

void ViewMenu::setHeat(bool on) {
    if (on) parts_.panels.numbers().endHeat();
    parts_.pages.setHeat(on);
    parts_.panels.timing().showHeat(parts_.pages.showsHeat());
    parts_.commands.update(QStringLiteral("heat"));
    parts_.commands.update(QStringLiteral("regret-heat"));
}

void ViewMenu::togglePath() {
    GraphPage* page = parts_.pages.current();
    if (!page || !page->view().hasGraph()) return;
    if (page->pathShown()) {
        page->clearPath();
        parts_.update();
    } else if (page->view().selectedNodes().size() != 2) {
        parts_.status.showMessage(tr("Select two nodes."), 4000);
    } else if (!page->showPath()) {
        parts_.status.showMessage(tr("No path leads from one to the other."), 4000);
    }
}

void ViewMenu::writeNote() {
    const ModulePtr module = parts_.document.shownModule();
    const ExprId id = parts_.document.selection().front();
    auto* dialog = new AskDialog(tr("Note"), tr("Note on %1:").arg(shown_name(parts_.document.names().name(id))),
                                 QString::fromStdString(parts_.document.note(id)), &parts_.window);
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWork([this, dialog, module, id](const QString& text) {
        if (parts_.document.shownModule() != module) return dialog->refuse(tr("The graph has changed meanwhile"));
        parts_.document.setNote(id, text.trimmed().toStdString());
        dialog->succeed();
    });
    dialog->open();
}

void ViewMenu::fillBookmarks(QMenu& menu) {
    menu.addSeparator();
    for (const Bookmark& mark : parts_.document.bookmarks()) {
        const QString name = shown_name(mark.name), note = shown_name(mark.note.substr(0, mark.note.find('\n')));
        menu.addAction(as_title(note.isEmpty() ? name : name + QStringLiteral(": ") + shortened(note, 60)), this,
                       [this, id = mark.expression] {
                           if (GraphPage* page = parts_.pages.current()) page->showOrigin(id);
                       });
    }
    if (parts_.document.bookmarks().empty()) menu.addAction(tr("No operator is marked."))->setEnabled(false);
}

void ViewMenu::stepBookmark(int by) {
    const std::vector<Bookmark>& marks = parts_.document.bookmarks();
    GraphPage* page = parts_.pages.current();
    if (!page) return;
    if (marks.empty()) return parts_.status.showMessage(tr("No operator is marked."), 4000);
    const ExprId here = parts_.document.selection().empty() ? ExprId() : parts_.document.selection().front();
    const auto at =
        std::find_if(marks.begin(), marks.end(), [here](const Bookmark& mark) { return mark.expression == here; });
    const int count = int(marks.size());
    const int next = at == marks.end() ? (by > 0 ? 0 : count - 1) : (int(at - marks.begin()) + by + count) % count;
    page->showOrigin(marks[size_t(next)].expression);
}

}  // namespace partita
