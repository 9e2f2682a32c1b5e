#include "app/gui/window/menu_edit.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTimer>
#include <QUndoStack>

#include "app/gui/document/document.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"
#include "app/gui/window/place_links.h"
#include "app/gui/window/settings_dialog.h"
#include "app/gui/window/status_line.h"

namespace partita {

Command EditMenu::menu() {
    return {"edit", tr("&Edit"),
            joined({undoCommands(),
                    {Command("find", tr("&Find…"), {QKeySequence::Find}, tr("Find operators, types, attributes"),
                             [this] { parts_.pages.current()->openSearch(); })
                         .withIcon("search")
                         .unless(needs(&CommandReasons::graph))
                         .belowLine()},
                    selectionCommands(),
                    {Command("settings", tr("Se&ttings…"), {tr("Ctrl+,")}, tr("Theme, graph, running"),
                             [this] { chooseSettings(); })
                         .withIcon("settings")
                         .belowLine()}})};
}

std::vector<Command> EditMenu::undoCommands() {
    QUndoStack& steps = parts_.document.undoStack();
    const auto name = [](QAction& action, const QString& text, const QString& step, const QString& tip) {
        action.setText(step.isEmpty() ? text : text + QLatin1Char(' ') + step);
        action.setProperty("tip", tip);
    };
    return {
        Command("undo", tr("&Undo"), {QKeySequence::Undo}, {}, [&steps] { steps.undo(); })
            .withIcon("undo")
            .unless([&steps] { return steps.canUndo() ? QString() : tr("Nothing was changed yet"); })
            .following([&steps, name](QAction& action) {
                name(action, tr("&Undo"), steps.undoText(),
                     steps.canUndo() ? tr("Take back: %1").arg(steps.undoText()) : tr("Take the last change back"));
            }),
        Command("redo", tr("&Redo"), {tr("Ctrl+Shift+Z"), tr("Ctrl+Y")}, {}, [&steps] { steps.redo(); })
            .withIcon("redo")
            .unless([&steps] { return steps.canRedo() ? QString() : tr("Nothing was taken back"); })
            .following([&steps, name](QAction& action) {
                name(action, tr("&Redo"), steps.redoText(),
                     steps.canRedo() ? tr("Make again: %1").arg(steps.redoText())
                                     : tr("Make the change again that was taken back"));
            }),
    };
}

std::vector<Command> EditMenu::selectionCommands() {
    const auto no_selection = needs(&CommandReasons::selection);
    return {
        Command("copy-text", tr("Copy what the &inspector says"), {tr("Ctrl+Alt+C")},
                tr("Copy what is said of the selected operator, with its reasons, as plain text"),
                [this] { copyText(); })
            .unless(needs(&CommandReasons::module))
            .belowLine(),
        Command(
            "copy-link", tr("Copy &link"), {tr("Ctrl+Alt+L")},
            tr("Copy a link to the selected operator, which others open by File › Open a link, or as partita's FILE"),
            [this] {
                QApplication::clipboard()->setText(link_to_selection(parts_.document));
                parts_.status.showMessage(tr("Copied as a link."), 4000);
            })
            .unless(needs(&CommandReasons::module)),
        Command("select-all", tr("Select &all"), {QKeySequence::SelectAll}, tr("Select all operators"),
                [this] { parts_.pages.current()->view().selectAll(); })
            .unless(needs(&CommandReasons::graph))
            .belowLine(),
        Command("select-region", tr("Select the &region"), {Qt::Key_R},
                tr("Select the region of the selected operator"), [this] { selectRegionOfSelection(); })
            .unless(no_selection),
        Command("select-same", tr("Select the &same operators"), {Qt::Key_S},
                tr("Select all calls of the selected operator"), [this] { selectSame(); })
            .unless(no_selection),
        Command(
            "select-alike", tr("Add the same in all &blocks"), {Qt::SHIFT | Qt::Key_S},
            tr("Add what stands at the same place in the other blocks that are alike: what is then done, is done to "
               "all"),
            [this] { selectAlike(); })
            .unless(no_selection),
        Command("select-producers", tr("Add all &producers"), {Qt::Key_P},
                tr("Select all that the selection depends on"),
                [this] { parts_.pages.forCurrentView([](GraphView& view) { view.selectProducers(); }); })
            .unless(no_selection),
        Command("select-users", tr("Add all &users"), {Qt::Key_U}, tr("Select all that depends on the selection"),
                [this] { parts_.pages.forCurrentView([](GraphView& view) { view.selectUsers(); }); })
            .unless(no_selection),
    };
}

void EditMenu::selectRegion(int region) {
    const FlowPtr flow = parts_.document.flow();
    if (!flow || region < 0 || size_t(region) >= flow->regions.size()) return;
    parts_.document.setSelection(flow->regions[size_t(region)].expressions);
}

void EditMenu::copyText() {
    QApplication::clipboard()->setText(parts_.panels.inspector().text().toPlainText());
    parts_.status.showMessage(tr("Copied as text."), 4000);
}

void EditMenu::selectRegions(const QVariantList& regions) {
    const FlowPtr flow = parts_.document.flow();
    if (!flow) return;
    std::vector<ExprId> all;
    for (const QVariant& region : regions) {
        if (region.toUInt() >= flow->regions.size()) return;
        const std::vector<ExprId>& each = flow->regions[region.toUInt()].expressions;
        all.insert(all.end(), each.begin(), each.end());
    }
    parts_.document.setSelection(std::move(all));
}

void EditMenu::selectAlike() {
    GraphPage* page = parts_.pages.current();
    if (!page || !page->view().hasGraph()) return;
    page->selectAlike([this](const AlikeNodes& found) {
        constexpr int kShown = 6000;  // milliseconds
        if (found.blocks == 0)
            return parts_.status.showMessage(tr("The selection lies in no block that comes again."), kShown);
        QStringList parts{tr("In %n block(s)", nullptr, int(found.blocks))};
        if (found.partly) parts << tr("%n block(s) differ and have some of it", nullptr, int(found.partly));
        if (found.without) parts << tr("%n block(s) differ and have none", nullptr, int(found.without));
        parts_.status.showMessage(parts.join(QLatin1String("; ")), kShown);
    });
}

void EditMenu::selectRegionOfSelection() {
    const FlowPtr flow = parts_.document.flow();
    if (!flow || parts_.document.selection().empty()) return;
    const ExprId id = parts_.document.selection().front();
    if (id.value < flow->region_of.size()) selectRegion(flow->region_of[id.value]);
}

void EditMenu::selectSame() {
    GraphPage* page = parts_.pages.current();
    if (!page || !page->view().hasGraph() || page->view().currentNode() < 0) return;
    const GraphModel& model = *page->view().model();
    const auto name_of = [&model](const GraphNode& node) {  // blocks of a run differ in their number alone
        return node.group >= 0 ? model.groups->groups[size_t(node.group)].title : node.title;
    };
    const QString name = name_of(model.nodes[size_t(page->view().currentNode())]);
    std::vector<uint32_t> nodes;
    for (uint32_t i = 0; i < model.nodes.size(); ++i)
        if (name_of(model.nodes[i]) == name) nodes.push_back(i);
    page->view().selectNodes(nodes);
    parts_.document.setSelection(page->selectedOrigins());
}

void EditMenu::chooseSettings() {
    const QByteArray before = parts_.window.saveState();
    const double type = parts_.settings.text_scale;
    bool other_type = false;
    SettingsDialog dialog(parts_.settings, &parts_.window);
    connect(&dialog, &SettingsDialog::changed, this, [&, this](const Settings& settings) {
        other_type = other_type || settings.text_scale != type;
        parts_.window.applySettings(settings);
    });
    // Large type made the panels wider, and they would stay so.
    if (dialog.exec() == QDialog::Rejected && other_type)
        QTimer::singleShot(0, this, [this, before] { parts_.window.restoreState(before); });
}

}  // namespace partita
