#include "app/gui/window/place_links.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QFileInfo>

#include "app/gui/style/foreign_text.h"
#include "app/gui/window/main_window.h"
#include "engine/partitioners/partitioner.h"

namespace partita {

namespace {

struct PlaceLinks {
    Q_DECLARE_TR_FUNCTIONS(partita::PlaceLinks)
};

/// The name that the file gives an operator, where no other has it; else its number.
std::string selector_of(const Document& document, ExprId expression) {
    const Module& module = *document.shownModule();
    const std::string label(module.label(expression));
    const bool plain = !label.empty() && label.find_first_of("*?") == std::string::npos;
    if (plain && document.names().select("name:" + label) == std::vector<ExprId>{expression}) return "name:" + label;
    const uint32_t number = document.names().number(expression);
    return number ? "#" + std::to_string(number) : std::string();
}

/// Now, or as soon as the graph stands where the division puts it.
void show(const Document& document, GraphPage* page, ExprId expression) {
    if (page->view().hasGraph() && document.flowIsCurrent()) return page->showExpression(expression);
    auto* once = new QObject(page);
    QObject::connect(page, &GraphPage::settled, once, [&document, page, once, expression] {
        if (!document.flowIsCurrent()) return;
        page->showExpression(expression);
        once->deleteLater();
    });
}

void divide_as(Document& document, const PlaceLink& place) {
    FlowChoice choice = document.choice();
    if (find_partitioner(place.partitioner)) choice.partitioner = {place.partitioner, {}};
    choice.partition = place.until == "partition";
    choice.merge = choice.partition || place.until == "merge";
    choice.annotate = choice.merge || place.until == "annotate";
    if (choice.annotate) document.changeChoice(std::move(choice), PlaceLinks::tr("as the link says"));
}

}  // namespace

QString link_to_selection(const Document& document) {
    const FlowChoice& choice = document.choice();
    PlaceLink link;
    link.file =
        QFileInfo(document.projectPath().isEmpty() ? document.path() : document.projectPath()).fileName().toStdString();
    for (const BackendPtr& backend : choice.backends)
        link.backends.push_back(backend->file.empty()
                                    ? backend->name
                                    : QFileInfo(QString::fromStdString(backend->file)).fileName().toStdString());
    if (!choice.partitioner.is_own()) link.partitioner = choice.partitioner.name;
    link.until = choice.partition ? "partition" : choice.merge ? "merge" : choice.annotate ? "annotate" : "";
    if (!document.selection().empty()) link.select = selector_of(document, document.selection().front());
    return QString::fromStdString(place_link_text(link));
}

QString go_to_place(MainWindow& window, const PlaceLink& place) {
    if (QWidget* panel = window.panels().named(QString::fromStdString(place.panel))) window.panels().show(panel);
    divide_as(window.document(), place);
    if (place.select.empty()) return {};
    const std::vector<ExprId> found = window.document().names().select(place.select);
    if (found.empty())
        return PlaceLinks::tr("No operator here is %1").arg(shown_name(QString::fromStdString(place.select)));
    window.document().setSelection(found);
    GraphPage* page = window.currentPage();
    if (page && found.size() == 1) show(window.document(), page, found.front());
    return {};
}

QString file_of_link(const PlaceLink& place, const QStringList& recent) {
    const QString file = QString::fromStdString(place.file);
    if (QFileInfo::exists(file)) return file;
    const auto same = [name = QFileInfo(file).fileName()](const QString& path) {
        return QFileInfo(path).fileName() == name && QFileInfo::exists(path);
    };
    const auto found = std::find_if(recent.begin(), recent.end(), same);
    return found == recent.end() ? QString() : *found;
}

}  // namespace partita
