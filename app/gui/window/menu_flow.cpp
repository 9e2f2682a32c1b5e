// The table of commands: Flow and Backend.
#include <QAction>
#include <QFileDialog>

#include "app/gui/editing/graph_editor.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/text/code_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/icons.h"
#include "app/gui/window/backends_dialog.h"
#include "app/gui/window/bisecting.h"
#include "app/gui/window/call_trace.h"
#include "app/gui/window/code_permission.h"
#include "app/gui/window/division_options.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/placing.h"
#include "app/gui/window/presentation.h"
#include "app/gui/window/run_inputs.h"
#include "app/gui/window/status_line.h"
#include "app/gui/window/tool_bars.h"
#include "engine/partitioners/partitioner.h"

namespace partita {

namespace {

constexpr int kBackendKeys = 9;  ///< keys 1 to 9

}  // namespace

Command MainWindow::flowMenu() {
    return {"flow", tr("F&low"),
            joined({passCommands(), passOptions(), runCommands(), placingCommands(), checkingCommands()})};
}

Command MainWindow::passSwitch(const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                               const QString& step, bool FlowChoice::*field) {
    return Command(id, text, keys, tip, [this, step, field] { switchPass(step, field); })
        .unless(needs(&MainWindow::needsModuleToDivide))
        .checkedWhen([this, field] { return document_.choice().*field; });
}

std::vector<Command> MainWindow::passCommands() {
    const auto no_module = needs(&MainWindow::needsModuleToDivide);
    return {
        passSwitch("annotate", tr("&Annotate"), {Qt::Key_F6}, tr("Give operators to backends by the backends' rules"),
                   tr("annotate by rules"), &FlowChoice::annotate)
            .withIcon("annotate")
            .unless(needs(&MainWindow::needsBackends))
            .checkedWhen([this] { return document_.choice().annotate || document_.annotated(); }),
        passSwitch("merge", tr("&Merge"), {Qt::Key_F7}, tr("Merge neighbouring regions of one backend"),
                   tr("merge regions"), &FlowChoice::merge)
            .withIcon("merge"),
        passSwitch("partition", tr("&Partition"), {Qt::Key_F8}, tr("Make each region a function of its own"),
                   tr("partition"), &FlowChoice::partition)
            .withIcon("partition"),
        Command("next-pass", tr("&Next pass"), {Qt::Key_F4}, tr("Annotate, then merge, then partition"),
                [this] { nextPass(); })
            .unless(no_module),
        Command("whole-flow", tr("&Whole flow"), {Qt::Key_F9}, tr("Annotate, merge and partition in one step"),
                [this] {
                    changeChoice(tr("whole flow"),
                                 [](FlowChoice& choice) { choice.annotate = choice.merge = choice.partition = true; });
                })
            .withIcon("flow")
            .unless(no_module),
        Command("own-flow", tr("As the rules' &file does"), {},
                tr("The passes that the Python file of the only backend names in its partition_for function"),
                [this] { applyOwnFlow(); })
            .unless([this] {
                return !needsModule().isEmpty() ? needsModule()
                       : own_flow(document_.choice().backends)
                           ? QString()
                           : tr("It takes one backend, of a Python file with a function partition_for_...");
            }),
        Command("reset", tr("&Start over"), {}, tr("Take all passes and assignments back"), [this] { startOver(); })
            .withIcon("reset")
            .unless(no_module),
    };
}

/// One switch for each algorithm that divides.
Command MainWindow::partitionerMenu() {
    const auto choose = [this](const std::string& name, const QString& title, const QString& tip) {
        return Command(QStringLiteral("partitioner-%1").arg(shown_name(name)), title, {}, tip,
                       [this, name] { choosePartitioner(name); })
            .unless(needs(&MainWindow::needsModuleToDivide))
            .checkedWhen([this, name] { return document_.choice().partitioner.name == name; })
            .oneOfMany();
    };
    std::vector<Command> all{choose(PartitionerChoice::kOwn, tr("&tvm: annotate, merge, partition"),
                                    tr("Relay's flow, as in Apache TVM 0.9"))};
    for (const Partitioner& partitioner : partitioners())
        all.push_back(choose(std::string(partitioner.name),
                             QStringLiteral("%1: %2").arg(shown_name(std::string(partitioner.name)),
                                                          shown_name(std::string(partitioner.title))),
                             shown_name(std::string(partitioner.source))));
    return {"partitioner", tr("&Divide by"), std::move(all)};
}

void MainWindow::choosePartitioner(const std::string& name) {
    PartitionerChoice chosen;
    chosen.name = name;
    if (const Partitioner* partitioner = find_partitioner(name); partitioner && !partitioner->asks_backends) {
        const QString file =
            QFileDialog::getOpenFileName(this, tr("A division"), QString(), tr("Divisions (*.json);;All files (*)"));
        if (file.isEmpty()) return updateCommands();
        chosen.options["file"] = file.toStdString();
    }
    changeChoice(tr("divide by %1").arg(shown_name(name)), [&](FlowChoice& choice) { choice.partitioner = chosen; });
}

std::vector<Command> MainWindow::passOptions() {
    return {
        partitionerMenu(),
        Command("division-options", tr("Op&tions of the division…"), {},
                tr("What the algorithm under Divide by can be told: sizes, releases, files, a budget"),
                [this] {
                    auto* dialog = findChild<DivisionOptions*>();
                    if (!dialog) dialog = new DivisionOptions(document_, *this);
                    dialog->show();
                    dialog->activateWindow();
                })
            .unless([this] { return DivisionOptions::obstacle(document_); }),
        passSwitch("lower", tr("&Lower to Relay's operators first"), {},
                   tr("Write operators that Relay and TVM do not have, such as nn.attention, as Relay's own; "
                      "assignments by hand are cleared"),
                   tr("lower"), &FlowChoice::lower)
            .belowLine(),
        passSwitch("simplify", tr("S&implify first"), {},
                   tr("Simplify inference (batch_norm, dropout) and fold constants; assignments by hand are cleared"),
                   tr("simplify"), &FlowChoice::simplify),
        passSwitch("fold", tr("Fold c&onstants first"), {},
                   tr("Compute what depends on constants alone; assignments by hand are cleared"), tr("fold constants"),
                   &FlowChoice::fold)
            .unless([this] {
                return !needsModule().isEmpty()      ? needsModule()
                       : document_.choice().simplify ? tr("Simplifying folds constants too")
                                                     : QString();
            }),
        passSwitch("composite", tr("Use &composite patterns"), {}, tr("Match the backends' patterns before annotating"),
                   tr("composite patterns"), &FlowChoice::composite)
            .unless(needs(&MainWindow::needsBackends)),
        passSwitch("non-call", tr("Include &tuples and projections"), {},
                   tr("Tuples, projections and references go where their operands go (include_non_call_ops)"),
                   tr("include tuples and projections"), &FlowChoice::include_non_call_ops),
        passSwitch("bind-constants", tr("&Bind constants"), {}, tr("Put constant inputs into the sub-functions"),
                   tr("bind constants"), &FlowChoice::bind_constants),
    };
}

std::vector<Command> MainWindow::runCommands() {
    return {
        Command("run", tr("&Run"), {Qt::Key_F5}, tr("Run the module, measure each region and compare the outputs"),
                [this] { runModule(); })
            .withIcon("run")
            .unless([this] {
                return !needsModuleToDivide().isEmpty() ? needsModuleToDivide()
                       : document_.isRunning()          ? tr("A run is going on")
                                                        : QString();
            })
            .belowLine(),
        Command("run-inputs", tr("Inp&uts of the run…"), {tr("Ctrl+I")},
                tr("Which values the inputs get: made ones, or your own arrays and images"),
                [this] { run_inputs_->showDialog(); })
            .unless(needs(&MainWindow::needsModule)),
    };
}

std::vector<Command> MainWindow::placingCommands() {
    auto* placing = new Placing(
        document_, [this] { return settings_.run; }, *this);
    connect(placing, &Placing::ended, this, [this](const QString& sentence) {
        status_->tell(sentence);
        updateCommands();
    });
    connect(placing, &Placing::placedChanged, this, [this](const PlacedModulePtr& placed) {
        inspector().setPlaced(placed);
        pages_->setPlaced(placed);
        updateCommands();
    });
    connect(&inspector(), &InspectorPanel::moveWanted, placing, &Placing::moveTo);
    const auto placing_obstacle = [this, placing] {
        return needsModuleToDivide().isEmpty() ? placing->obstacle() : needsModuleToDivide();
    };
    return {
        Command(
            "place-by-time", tr("Place &by time"), {tr("Ctrl+Shift+B")},
            tr("Measure the parts of the module and give every operator to the backend with which a run takes least"),
            [placing] { placing->start(); })
            .unless(placing_obstacle),
        Command("place-by-time-anew", tr("Place by time, measuring a&new"), {},
                tr("Place by time, and measure also what is known of these operators from earlier"),
                [placing] { placing->start(true); })
            .unless(placing_obstacle),
        Command("placement-costs", tr("&Costs of the placement…"), {},
                tr("What was measured, what other placements cost, and which operators could move"),
                [placing] { placing->showDialog(); })
            .unless([this, placing] {
                return !needsModule().isEmpty() ? needsModule()
                       : placing->placed()      ? QString()
                                                : tr("Place by time first (Ctrl+Shift+B)");
            }),
    };
}

std::vector<Command> MainWindow::checkingCommands() {
    auto* bisecting = new Bisecting(
        document_, [this] { return settings_.run; }, *this);
    connect(bisecting, &Bisecting::ended, this, [this](const QString& sentence) {
        status_->tell(sentence);
        updateCommands();
    });
    auto* trace = new CallTrace(document_, *this);
    connect(trace, &CallTrace::lineWanted, &inspector(), &InspectorPanel::lineWanted);
    connect(trace, &CallTrace::pathWalked, &rules(), &RulesPanel::showPath);
    return {
        Command("compare-regions", tr("Compare re&gions"), {},
                tr("Run again and hold what each region gives against the same region on default; the first that "
                   "differs is selected"),
                [this] {
                    showPanel(&timing());
                    timing().compareBoundaries();
                })
            .unless(needs(&MainWindow::needsRegionsOfRun)),
        Command("bisect", tr("&Bisect"), {},
                tr("Find the operator that a backend computes otherwise than default, or that its compiler refuses"),
                [bisecting] { bisecting->start(); })
            .unless([this, bisecting] {
                return needsModuleToDivide().isEmpty() ? bisecting->obstacle() : needsModuleToDivide();
            }),
        Command("trace", tr("What was as&ked"), {},
                tr("All that the rules were asked about the selected operator, taken or refused, with values"),
                [trace] { trace->show(); })
            .unless([this, trace] { return needsModule().isEmpty() ? trace->obstacle() : needsModule(); }),
        Command("predict", tr("Predic&t the regions"), {Qt::SHIFT | Qt::Key_F2},
                tr("Mark the regions of the open graph yourself, then compare"), [this] { predict(); })
            .unless([this] {
                const bool again =
                    document_.isOpen() && lessons().prediction().isPredicting() && !lessons().isInLesson();
                return again ? QString() : needsModuleToDivide();
            })
            .belowLine(),
        Command("mark-region", tr("Mark as a re&gion"), {Qt::Key_G},
                tr("While predicting: the selected operators are one region"),
                [this] { lessons().prediction().markSelection(); })
            .unless([this] {
                return !needsSelection().isEmpty()                      ? needsSelection()
                       : panels_->lessons().prediction().isPredicting() ? QString()
                                                                        : tr("Start with Flow › Predict the regions");
            }),
        Command("cancel", tr("&Cancel"), {tr("Ctrl+.")}, tr("Cancel what is running"), [this] { jobs_.cancelAll(); })
            .unless([this] { return jobs_.busy() ? QString() : tr("Nothing is running"); })
            .belowLine(),
    };
}

Command MainWindow::backendMenu() {
    const auto no_answers = [this] { return panels_->obstacleToAnswers(); };
    const auto no_regions = [this] { return graph_editor_->obstacleToRegions(); };
    return {
        "backend", tr("&Backend"),
        joined({givingCommands(),
                backendChoices(),
                {Command("edit-rules", tr("&Edit rules"), {tr("Ctrl+Shift+R")},
                         tr("Change a backend's rules and see at once what moves"), [this] { enterPanel(&rules()); }),
                 Command("coverage", tr("C&overage"), {tr("Ctrl+Shift+V")},
                         tr("What goes where, what keeps the rest away, and what would change that"),
                         [this] { enterPanel(&coverage()); })
                     .unless(no_answers),
                 Command("region-code", tr("Co&de of the region"), {tr("Ctrl+Shift+K")},
                         tr("The source that is made of the region of what is selected, or what its backend is given"),
                         [this] { enterPanel(&panels_->code()); })
                     .unless(no_answers),
                 Command("split-region", tr("&Split off as a region of its own"), {Qt::Key_K},
                         tr("The selection no longer merges with the rest of its region"),
                         [this] { graph_editor_->splitRegion(); })
                     .unless(no_regions)
                     .belowLine(),
                 Command("join-regions", tr("&Join into one region"), {Qt::Key_J},
                         tr("The selection goes to the backend of its first operator that has one, and may merge "
                            "again"),
                         [this] { graph_editor_->joinRegions(); })
                     .unless(no_regions)}})};
}

std::vector<Command> MainWindow::backendChoices() {
    const auto usual = [this](const char* id, const QString& text, const QKeySequence& key, const QString& tip,
                              const QString& step, const std::vector<BackendPtr>& backends) {
        return Command(id, text, {key}, tip, [this, step, &backends] { document_.setBackendsOfThis(backends, step); })
            .unless(needs(&MainWindow::needsModuleToDivide))
            .checkedWhen([this, &backends] { return same_backends(document_.choice().backends, backends); });
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
std::vector<Command> MainWindow::givingCommands() {
    const auto no_operators = needs(&MainWindow::needsOperators);
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

void MainWindow::nameBackend(QAction& action, int place) {
    action.setVisible(place <= int(document_.choice().backends.size()));
    if (!action.isVisible()) return;
    const QString name = document_.backendName(place - 1);
    action.setText(tr("%1 %2").arg(QString::number(place), as_title(name)));
    action.setProperty("tip", tr("Give the selection to %1").arg(name));
}

QStringList MainWindow::givingIds() const {
    QStringList ids;
    for (int i = 0; i <= kBackendKeys; ++i) ids << QStringLiteral("backend-%1").arg(i);
    return ids << QStringLiteral("automatic");
}

/// Returns the places of the backends in the palette, and keeps them: a backend has its own when others come, go or
/// change places.
std::vector<int> MainWindow::slotsOfBackends() {
    if (!document_.isOpen()) backend_slots_.clear();
    QStringList names;
    for (const BackendPtr& backend : document_.choice().backends) names << QString::fromStdString(backend->name);
    std::vector<int> taken, now;
    for (const QString& name : names)
        if (backend_slots_.contains(name)) taken.push_back(backend_slots_[name]);
    for (const QString& name : names) {
        if (!backend_slots_.contains(name)) {
            int slot = 0;
            while (std::find(taken.begin(), taken.end(), slot) != taken.end()) ++slot;
            taken.push_back(backend_slots_[name] = slot);
        }
        now.push_back(backend_slots_[name]);
    }
    return now;
}

/// Colours are of the theme, and of the backends' places.
void MainWindow::tellColours() {
    pages_->setTheme(theme_);
    panels_->setTheme(theme_);
    presentation_->setTheme(theme_);
}

void MainWindow::updateBackends() {
    if (std::vector<int> now = slotsOfBackends(); now != theme_.backend_slots) {
        theme_.backend_slots = std::move(now);
        tellColours();
    }
    for (int i = 0; i <= kBackendKeys; ++i)
        action(QStringLiteral("backend-%1").arg(i))->setIcon(backend_icon(i - 1, theme_));
    updateCommands();
    tool_bars_->fit();
}

void MainWindow::changeChoice(const QString& name, const std::function<void(FlowChoice&)>& change) {
    FlowChoice choice = document_.choice();
    change(choice);
    document_.changeChoice(std::move(choice), name);
}

void MainWindow::switchPass(const QString& step, bool FlowChoice::*field) {
    changeChoice(step, [field](FlowChoice& choice) { choice.*field = !(choice.*field); });
    const FlowChoice& choice = document_.choice();
    const bool divides = field == &FlowChoice::merge || field == &FlowChoice::partition;
    if (choice.*field && divides && !choice.annotate && choice.overrides->empty() && !document_.annotated())
        status_->tell(tr("Nothing goes to a backend yet: annotate (F6), or give operators to one (keys 1 to 9)."));
}

void MainWindow::applyOwnFlow() {
    const AnnotatorFlow flow = *own_flow(document_.choice().backends);
    changeChoice(tr("as the file does"), [&flow](FlowChoice& choice) {
        choice.annotate = flow.annotate;
        choice.partition = true;
        choose_flow(choice, flow);
    });
    const auto listed = [](const std::vector<std::string>& names) {
        QStringList shown;
        for (const std::string& name : names) shown << shown_name(name);
        return shown.join(QStringLiteral(", "));
    };
    const QString done = tr("As %1 does: %2").arg(shown_name(flow.function), listed(flow.passes));
    status_->tell(flow.left_out.empty() ? done : tr("%1. Left out: %2").arg(done, listed(flow.left_out)));
}

void MainWindow::nextPass() {
    const FlowChoice& choice = document_.choice();
    if (!choice.annotate && !document_.annotated()) action(QStringLiteral("annotate"))->trigger();
    else if (!choice.merge) action(QStringLiteral("merge"))->trigger();
    else if (!choice.partition) action(QStringLiteral("partition"))->trigger();
    else status_->showMessage(tr("All passes were made."), 4000);
}

void MainWindow::startOver() {
    changeChoice(tr("start over"), [](FlowChoice& choice) {
        choice = choice.after_rewriting();
        choice.annotate = choice.merge = choice.partition = false;
        choice.overrides.clear();
        choice.groups.clear();
        choice.by_cost = false;
        choice.reported = nullptr;
    });
}

void MainWindow::runModule() {
    if (!document_.isOpen() || document_.isRunning()) return;
    settings_.applyCompiler();
    with_permitted_code(this, document_.backendsThatRun(), [this](const QStringList& trusted) {
        RunRequest request = settings_.run;
        if (timing().machine()) request.machine = *timing().machine();
        request.trusted_code = trusted;
        document_.run(request);
    });
}

void MainWindow::predict() {
    showPanel(&lessons());
    lessons().predictOpenGraph();
    pages_->forCurrentView([](GraphView& view) { view.setFocus(); });
}

/// Calls, tuples and projections: parameters and constants go to no backend.
void MainWindow::giveSelection(std::optional<int> backend) {
    const std::vector<ExprId> operators = document_.selectedOperators();
    if (!operators.empty()) document_.giveToBackend(operators, backend);
}

void MainWindow::chooseBackends() {
    BackendsDialog dialog(document_.choice().backends, settings_.backend_files, this);
    if (dialog.exec() != QDialog::Accepted) return;
    for (const QString& file : dialog.files()) settings_.rememberBackendFile(file);
    document_.setBackends(dialog.chosen());
    keepBackends();
}

/// For the next start. A description that stands in no file and does not ship is lost with the window.
void MainWindow::keepBackends() {
    QStringList names;
    for (const BackendPtr& backend : document_.usualBackends().backends) {
        if (!backend->file.empty()) names << QString::fromStdString(backend->file);
        else if (builtin_backend(backend->name)) names << QString::fromStdString(backend->name);
    }
    settings_.backends.reset();
    if (document_.usualBackends().chosen) settings_.backends = names;
    settings_.save();
}

}  // namespace partita
