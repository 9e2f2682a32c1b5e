// The main window's commands for reading a graph: groups, bookmarks, paths, print.
#include <algorithm>

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QPrintDialog>
#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QStatusBar>
#include <QTabWidget>

#include "app/gui/style/foreign_text.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/print_graph.h"

namespace partita {

void MainWindow::buildReadingActions(QMenu& view) {
    view.addSeparator();
    QMenu& groups = *view.addMenu(tr("&Groups"));
    auto* kinds = new QActionGroup(this);
    const auto add_kind = [&](Grouping grouping, const QString& name, const QString& text, const QString& tip) {
        QAction* action = addCommand(groups, name, text, QKeySequence(), tip, [this, grouping] {
            Settings settings = settings_;
            settings.canvas.grouping = grouping;
            applySettings(settings);
        });
        action->setCheckable(true);
        action->setChecked(settings_.canvas.grouping == grouping);
        kinds->addAction(action);
    };
    add_kind(Grouping::Automatic, QStringLiteral("group-automatic"), tr("&Automatic"),
             tr("Groups for graphs that are too large to be read as they are"));
    add_kind(Grouping::None, QStringLiteral("group-none"), tr("&None"), tr("Every operator for itself"));
    add_kind(Grouping::Regions, QStringLiteral("group-regions"), tr("By &region"), tr("Each region as one node"));
    add_kind(Grouping::Scopes, QStringLiteral("group-scopes"), tr("By name &scope"),
             tr("By names such as layer1/conv2, where the file has them"));
    add_kind(Grouping::Structure, QStringLiteral("group-structure"), tr("By repeated &structure"),
             tr("Blocks that come again and again as one node each"));
    groups.addSeparator();
    const auto for_page = [this](auto work) {
        if (GraphPage* page = currentPage(); page && page->view().hasGraph()) work(*page);
    };
    addCommand(groups, QStringLiteral("collapse"), tr("&Close the group"), QKeySequence(Qt::Key_C),
               tr("Close the group round the current node"), [for_page] {
                   for_page([](GraphPage& page) {
                       if (page.view().currentNode() >= 0) page.collapseAround(uint32_t(page.view().currentNode()));
                   });
               });
    addCommand(groups, QStringLiteral("expand-all"), tr("&Open all groups"), QKeySequence(),
               tr("Show every operator; this may take a while and can be stopped"),
               [for_page] { for_page([](GraphPage& page) { page.expandAll(); }); });
    addCommand(groups, QStringLiteral("collapse-all"), tr("Close a&ll groups"), QKeySequence(),
               tr("Show the outermost groups"), [for_page] { for_page([](GraphPage& page) { page.collapseAll(); }); });
    addCommand(view, QStringLiteral("path"), tr("Pa&th between two"), QKeySequence(Qt::Key_B),
               tr("Highlight all that lies between two selected nodes; again: take it back"), [this, for_page] {
                   for_page([this](GraphPage& page) {
                       if (page.pathShown()) {
                           page.clearPath();
                           return updateActions();
                       }
                       if (page.view().selectedNodes().size() != 2)
                           statusBar()->showMessage(tr("Select two nodes."), 4000);
                       else if (!page.showPath())
                           statusBar()->showMessage(tr("No path leads from one to the other."), 4000);
                   });
               });
    addCommand(view, QStringLiteral("close-tab"), tr("Close the ta&b"), QKeySequence::Close,
               tr("Close this function's tab"), [this] {
                   if (pages_->count() > 1) emit pages_->tabCloseRequested(pages_->currentIndex());
               });
    const auto step_tab = [this](int by) {
        if (pages_->count() > 1)
            pages_->setCurrentIndex((pages_->currentIndex() + by + pages_->count()) % pages_->count());
    };
    addCommand(view, QStringLiteral("next-tab"), tr("Next tab"), QKeySequence(tr("Ctrl+PgDown")),
               tr("Show the next function"), [step_tab] { step_tab(1); });
    addCommand(view, QStringLiteral("previous-tab"), tr("Previous tab"), QKeySequence(tr("Ctrl+PgUp")),
               tr("Show the function before"), [step_tab] { step_tab(-1); });
    addCommand(view, QStringLiteral("up"), tr("Back to the &caller"), QKeySequence(Qt::Key_Backspace),
               tr("Show the function from which this one was opened"), [this] {
                   GraphPage* page = currentPage();
                   if (page && !page->target().path.isEmpty())
                       openBreadcrumb(*page, int(page->target().path.size()) - 1);
               });
    QMenu& marks = *view.addMenu(tr("&Bookmarks"));
    addCommand(marks, QStringLiteral("bookmark"), tr("&Bookmark"), QKeySequence(Qt::Key_M),
               tr("Mark the selected operator to find it again; again: take the mark off"), [this] {
                   if (!document_.selection().empty()) document_.toggleBookmark(document_.selection().front());
               });
    addCommand(marks, QStringLiteral("next-bookmark"), tr("&Next bookmark"), QKeySequence(Qt::Key_N),
               tr("Go to the next marked operator"), [this] { stepBookmark(1); });
    addCommand(marks, QStringLiteral("previous-bookmark"), tr("&Previous bookmark"),
               QKeySequence(Qt::SHIFT | Qt::Key_N), tr("Go to the marked operator before"),
               [this] { stepBookmark(-1); });
    marks.addSeparator();
    const qsizetype fixed = marks.actions().size();
    connect(&marks, &QMenu::aboutToShow, this, [this, &marks, fixed] {
        while (marks.actions().size() > fixed) delete marks.actions().back();
        fillBookmarkMenu(marks);
    });
}

void MainWindow::fillBookmarkMenu(QMenu& menu) {
    for (const Bookmark& mark : document_.bookmarks())
        menu.addAction(as_title(shown_name(mark.name)), this, [this, id = mark.expression] {
            if (GraphPage* page = currentPage()) page->showOrigin(id);
        });
    if (document_.bookmarks().empty()) menu.addAction(tr("No operator is marked."))->setEnabled(false);
}

void MainWindow::stepBookmark(int by) {
    const std::vector<Bookmark>& marks = document_.bookmarks();
    GraphPage* page = currentPage();
    if (!page) return;
    if (marks.empty()) return statusBar()->showMessage(tr("No operator is marked."), 4000);
    const ExprId here = document_.selection().empty() ? ExprId() : document_.selection().front();
    const auto at =
        std::find_if(marks.begin(), marks.end(), [here](const Bookmark& mark) { return mark.expression == here; });
    const int count = int(marks.size());
    const int next = at == marks.end() ? (by > 0 ? 0 : count - 1) : (int(at - marks.begin()) + by + count) % count;
    page->showOrigin(marks[size_t(next)].expression);
}

void MainWindow::printGraph() {
    GraphPage* page = currentPage();
    if (!page || !page->view().hasGraph()) return;
    QPrinter printer(QPrinter::HighResolution);
    const QRectF bounds = page->view().geometry().bounds;
    printer.setPageOrientation(bounds.width() > bounds.height() ? QPageLayout::Landscape : QPageLayout::Portrait);
    printer.setDocName(document_.title());
    QPrintPreviewDialog preview(&printer, this);
    connect(&preview, &QPrintPreviewDialog::paintRequested, this, [this, page](QPrinter* to) {
        print_graph(*to, page->view(), make_theme(false, settings_.palette), shown_name(document_.title()));
    });
    preview.resize(900, 700);  // as wide as its buttons
    preview.exec();
}

}  // namespace partita
