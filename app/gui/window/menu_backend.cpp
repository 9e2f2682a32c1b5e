#include "app/gui/window/menu_backend.h"

#include <QAction>
#include <QFileInfo>

#include "app/gui/document/document.h"
#include "app/gui/editing/graph_editor.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/text/code_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/icons.h"
#include "app/gui/window/backends_dialog.h"
#include "app/gui/window/file_opening.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/panels.h"
#include "app/gui/window/place_links.h"
#include "app/gui/window/rules_diff_dialog.h"
#include "app/gui/window/settings.h"
#include "app/gui/window/status_line.h"
#include "engine/support/place_link.h"

namespace partita {

namespace {

constexpr int kBackendKeys = 9;  ///< keys 1 to 9

}  // namespace

BackendMenu::BackendMenu(const WindowParts& parts, QObject* parent)
    : WindowMenu(parts, parent), rules_(parts.document) {
    connect(&rules_, &RulesOfDivision::made, this, [this](int backend, const QString& rule) {
        parts_.panels.enter(&parts_.panels.rules());
        parts_.panels.rules().showRule(backend, rule);
    });
}

Command BackendMenu::menu() {
    const auto no_answers = [this] { return parts_.panels.obstacleToAnswers(); };
    const auto no_regions = [this] { return parts_.editor.obstacleToRegions(); };
    return {
        "backend", tr("&Backend"),
        joined({givingCommands(),
                backendChoices(),
                {Command("edit-rules", tr("&Edit rules"), {tr("Ctrl+Shift+R")},
                         tr("Change a backend's rules and see at once what moves"),
                         [this] { parts_.panels.enter(&parts_.panels.rules()); }),
                 Command("propose-rules", tr("&Make rules of the division"), {},
                         tr("The shortest rules that say the same of each operator as the division, for the backend "
                            "of what is selected, or the only one"),
                         [this] { rules_.make(); })
                     .unless([this, no_answers] {
                         const QString why = no_answers().isEmpty() ? parts_.reasons.backends() : no_answers();
                         return why.isEmpty() ? rules_.obstacle() : why;
                     }),
                 Command("rules-diff", tr("Compare rules on &models…"), {},
                         tr("What the rules, as they stand here, change against those before on a folder of models"),
                         [this] { compareRules(); })
                     .unless(needs(&CommandReasons::backends)),
                 Command("coverage", tr("C&overage"), {tr("Ctrl+Shift+V")},
                         tr("What goes where, what keeps the rest away, and what would change that"),
                         [this] { parts_.panels.enter(&parts_.panels.coverage()); })
                     .unless(no_answers),
                 Command("region-code", tr("Co&de of the region"), {tr("Ctrl+Shift+K")},
                         tr("The source that is made of the region of what is selected, or what its backend is given"),
                         [this] { parts_.panels.enter(&parts_.panels.code()); })
                     .unless(no_answers),
                 Command("split-region", tr("&Split off as a region of its own"), {Qt::Key_K},
                         tr("The selection no longer merges with the rest of its region"),
                         [this] { parts_.editor.splitRegion(); })
                     .unless(no_regions)
                     .belowLine(),
                 Command("join-regions", tr("&Join into one region"), {Qt::Key_J},
                         tr("The selection goes to the backend of its first operator that has one, and may merge "
                            "again"),
                         [this] { parts_.editor.joinRegions(); })
                     .unless(no_regions)}})};
}

std::vector<Command> BackendMenu::backendChoices() {
    const auto usual = [this](const char* id, const QString& text, const QKeySequence& key, const QString& tip,
                              const QString& step, const std::vector<BackendPtr>& backends) {
        return Command(id, text, {key}, tip,
                       [this, step, &backends] { parts_.document.setBackendsOfThis(backends, step); })
            .unless(needs(&CommandReasons::moduleToDivide))
            .checkedWhen([this, &backends] { return same_backends(parts_.document.choice().backends, backends); });
    };
    return {
        Command("backends", tr("&Choose backends…"), {tr("Ctrl+B")},
                tr("Which backends, in which order; add one from a file"), [this] { chooseBackends(); })
            .belowLine(),
        usual("backends-for-speed", tr("For s&peed"), tr("Ctrl+Alt+S"),
              tr("dnnl_all takes all that oneDNN can run, ccompiler_wide the rest as generated C; a model begins with "
                 "these while none were chosen"),
              tr("backends for speed"), backends_for_speed()),
        usual(
            "backends-as-in-tvm", tr("As in &TVM"), tr("Ctrl+Alt+T"),
            tr("dnnl and ccompiler take what TVM 0.9 gives them; Relay text begins with these while none were chosen"),
            tr("backends as in TVM"), backends_as_in_tvm()),
    };
}

/// Keys 0 to 9 give the selection to default and to the backends in their order.
std::vector<Command> BackendMenu::givingCommands() {
    const auto no_operators = needs(&CommandReasons::operators);
    std::vector<Command> commands;
    for (int i = 0; i <= kBackendKeys; ++i)
        commands.push_back(
            Command(QStringLiteral("backend-%1").arg(i), {}, {Qt::Key_0 + i}, {}, [this, i] { giveSelection(i - 1); })
                .unless(no_operators)
                .following([this, i](QAction& action) { nameBackend(action, i); }));
    commands.push_back(Command("automatic", tr("Leave to the &rules"), {Qt::Key_A},
                               tr("Take back what was given by hand"), [this] { giveSelection(std::nullopt); })
                           .withIcon("automatic")
                           .unless(no_operators));
    return commands;
}

void BackendMenu::nameBackend(QAction& action, int place) {
    action.setVisible(place <= int(parts_.document.choice().backends.size()));
    if (!action.isVisible()) return;
    const QString name = parts_.document.backendName(place - 1);
    action.setText(tr("%1 %2").arg(QString::number(place), as_title(name)));
    action.setProperty("tip", tr("Give the selection to %1").arg(name));
}

QStringList BackendMenu::givingIds() {
    QStringList ids;
    for (int i = 0; i <= kBackendKeys; ++i) ids << QStringLiteral("backend-%1").arg(i);
    return ids << QStringLiteral("automatic");
}

/// Calls, tuples and projections: parameters and constants go to no backend.
void BackendMenu::giveSelection(std::optional<int> backend) {
    const std::vector<ExprId> operators = parts_.document.selectedOperators();
    if (!operators.empty()) parts_.document.giveToBackend(operators, backend);
}

void BackendMenu::chooseBackends() {
    BackendsDialog dialog(parts_.document.choice().backends, parts_.settings.backend_files, &parts_.window);
    if (dialog.exec() != QDialog::Accepted) return;
    for (const QString& file : dialog.files()) parts_.settings.rememberBackendFile(file);
    parts_.document.setBackends(dialog.chosen());
    keepBackends();
}

void BackendMenu::compareRules() {
    auto* dialog = new RulesDiffDialog(parts_.document, &parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RulesDiffDialog::placeWanted, this, [this](const PlaceLink& place) {
        const QString file = QString::fromStdString(place.file);
        if (QFileInfo(file) != QFileInfo(parts_.document.path())) return parts_.opening.openFiles({file}, place);
        if (const QString fault = go_to_place(parts_.window, place); !fault.isEmpty()) parts_.status.tell(fault);
    });
    dialog->show();
}

/// For the next start. A description that stands in no file and does not ship is lost with the window.
void BackendMenu::keepBackends() {
    QStringList names;
    for (const BackendPtr& backend : parts_.document.usualBackends().backends) {
        if (!backend->file.empty()) names << QString::fromStdString(backend->file);
        else if (builtin_backend(backend->name)) names << QString::fromStdString(backend->name);
    }
    parts_.settings.backends.reset();
    if (parts_.document.usualBackends().chosen) parts_.settings.backends = names;
    parts_.settings.save();
}

void BackendMenu::setIcons() {
    for (int i = 0; i <= kBackendKeys; ++i)
        parts_.commands.action(QStringLiteral("backend-%1").arg(i))->setIcon(backend_icon(i - 1, parts_.theme));
}

}  // namespace partita
