#include "app/gui/window/menu_flow.h"

#include <QAction>
#include <QFileDialog>

#include "app/gui/document/document.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/bisecting.h"
#include "app/gui/window/call_trace.h"
#include "app/gui/window/code_permission.h"
#include "app/gui/window/division_options.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"
#include "app/gui/window/placing.h"
#include "app/gui/window/run_inputs.h"
#include "app/gui/window/settings.h"
#include "app/gui/window/status_line.h"
#include "engine/partitioners/partitioner.h"

namespace partita {

Command FlowMenu::menu() {
    return {"flow", tr("F&low"),
            joined({passCommands(), passOptions(), runCommands(), placingCommands(), checkingCommands()})};
}

Command FlowMenu::passSwitch(const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                             const QString& step, bool FlowChoice::*field) {
    return Command(id, text, keys, tip, [this, step, field] { switchPass(step, field); })
        .unless(needs(&CommandReasons::moduleToDivide))
        .checkedWhen([this, field] { return parts_.document.choice().*field; });
}

std::vector<Command> FlowMenu::passCommands() {
    const auto no_module = needs(&CommandReasons::moduleToDivide);
    return {
        passSwitch("annotate", tr("&Annotate"), {Qt::Key_F6}, tr("Give operators to backends by the backends' rules"),
                   tr("annotate by rules"), &FlowChoice::annotate)
            .withIcon("annotate")
            .unless(needs(&CommandReasons::backends))
            .checkedWhen([this] { return parts_.document.choice().annotate || parts_.document.annotated(); }),
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
                return !parts_.reasons.module().isEmpty() ? parts_.reasons.module()
                       : own_flow(parts_.document.choice().backends)
                           ? QString()
                           : tr("It takes one backend, of a Python file with a function partition_for_...");
            }),
        Command("reset", tr("&Start over"), {}, tr("Take all passes and assignments back"), [this] { startOver(); })
            .withIcon("reset")
            .unless(no_module),
    };
}

/// One switch for each algorithm that divides.
Command FlowMenu::partitionerMenu() {
    const auto choose = [this](const std::string& name, const QString& title, const QString& tip) {
        return Command(QStringLiteral("partitioner-%1").arg(shown_name(name)), title, {}, tip,
                       [this, name] { choosePartitioner(name); })
            .unless(needs(&CommandReasons::moduleToDivide))
            .checkedWhen([this, name] { return parts_.document.choice().partitioner.name == name; })
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

void FlowMenu::choosePartitioner(const std::string& name) {
    PartitionerChoice chosen;
    chosen.name = name;
    if (const Partitioner* partitioner = find_partitioner(name); partitioner && !partitioner->asks_backends) {
        const QString file = QFileDialog::getOpenFileName(&parts_.window, tr("A division"), QString(),
                                                          tr("Divisions (*.json);;All files (*)"));
        if (file.isEmpty()) return parts_.update();
        chosen.options["file"] = file.toStdString();
    }
    changeChoice(tr("divide by %1").arg(shown_name(name)), [&](FlowChoice& choice) { choice.partitioner = chosen; });
}

std::vector<Command> FlowMenu::passOptions() {
    return {
        partitionerMenu(),
        Command("division-options", tr("Op&tions of the division…"), {},
                tr("What the algorithm under Divide by can be told: sizes, releases, files, a budget"),
                [this] {
                    auto* dialog = parts_.window.findChild<DivisionOptions*>();
                    if (!dialog) dialog = new DivisionOptions(parts_.document, parts_.window);
                    dialog->show();
                    dialog->activateWindow();
                })
            .unless([this] { return DivisionOptions::obstacle(parts_.document); }),
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
                return !parts_.reasons.module().isEmpty()  ? parts_.reasons.module()
                       : parts_.document.choice().simplify ? tr("Simplifying folds constants too")
                                                           : QString();
            }),
        passSwitch("composite", tr("Use &composite patterns"), {}, tr("Match the backends' patterns before annotating"),
                   tr("composite patterns"), &FlowChoice::composite)
            .unless(needs(&CommandReasons::backends)),
        passSwitch("non-call", tr("Include &tuples and projections"), {},
                   tr("Tuples, projections and references go where their operands go (include_non_call_ops)"),
                   tr("include tuples and projections"), &FlowChoice::include_non_call_ops),
        passSwitch("bind-constants", tr("&Bind constants"), {}, tr("Put constant inputs into the sub-functions"),
                   tr("bind constants"), &FlowChoice::bind_constants),
    };
}

std::vector<Command> FlowMenu::runCommands() {
    return {
        Command("run", tr("&Run"), {Qt::Key_F5}, tr("Run the module, measure each region and compare the outputs"),
                [this] { run(); })
            .withIcon("run")
            .unless([this] {
                return !parts_.reasons.moduleToDivide().isEmpty() ? parts_.reasons.moduleToDivide()
                       : parts_.document.isRunning()              ? tr("A run is going on")
                                                                  : QString();
            })
            .belowLine(),
        Command("run-inputs", tr("Inp&uts of the run…"), {tr("Ctrl+I")},
                tr("Which values the inputs get: made ones, or your own arrays and images"),
                [this] { parts_.inputs.showDialog(); })
            .unless(needs(&CommandReasons::module)),
    };
}

std::vector<Command> FlowMenu::placingCommands() {
    auto* placing = new Placing(
        parts_.document, [this] { return parts_.settings.run; }, parts_.window);
    connect(placing, &Placing::ended, this, [this](const QString& sentence) {
        parts_.status.tell(sentence);
        parts_.update();
    });
    connect(placing, &Placing::placedChanged, this, [this](const PlacedModulePtr& placed) {
        parts_.panels.inspector().setPlaced(placed);
        parts_.pages.setPlaced(placed);
        parts_.update();
    });
    connect(&parts_.panels.inspector(), &InspectorPanel::moveWanted, placing, &Placing::moveTo);
    const auto placing_obstacle = [this, placing] {
        return parts_.reasons.moduleToDivide().isEmpty() ? placing->obstacle() : parts_.reasons.moduleToDivide();
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
                return !parts_.reasons.module().isEmpty() ? parts_.reasons.module()
                       : placing->placed()                ? QString()
                                                          : tr("Place by time first (Ctrl+Shift+B)");
            }),
    };
}

std::vector<Command> FlowMenu::checkingCommands() {
    auto* bisecting = new Bisecting(
        parts_.document, [this] { return parts_.settings.run; }, parts_.window);
    connect(bisecting, &Bisecting::ended, this, [this](const QString& sentence) {
        parts_.status.tell(sentence);
        parts_.update();
    });
    auto* trace = new CallTrace(parts_.document, parts_.window);
    connect(trace, &CallTrace::lineWanted, &parts_.panels.inspector(), &InspectorPanel::lineWanted);
    connect(trace, &CallTrace::pathWalked, &parts_.panels.rules(), &RulesPanel::showPath);
    return {
        Command("compare-regions", tr("Compare re&gions"), {},
                tr("Run again and hold what each region gives against the same region on default; the first that "
                   "differs is selected"),
                [this] {
                    parts_.panels.show(&parts_.panels.timing());
                    parts_.panels.timing().compareBoundaries();
                })
            .unless(needs(&CommandReasons::regionsOfRun)),
        Command("bisect", tr("&Bisect"), {},
                tr("Find the operator that a backend computes otherwise than default, or that its compiler refuses"),
                [bisecting] { bisecting->start(); })
            .unless([this, bisecting] {
                return parts_.reasons.moduleToDivide().isEmpty() ? bisecting->obstacle()
                                                                 : parts_.reasons.moduleToDivide();
            }),
        Command("trace", tr("What was as&ked"), {},
                tr("All that the rules were asked about the selected operator, taken or refused, with values"),
                [trace] { trace->show(); })
            .unless([this, trace] {
                return parts_.reasons.module().isEmpty() ? trace->obstacle() : parts_.reasons.module();
            }),
        Command("predict", tr("Predic&t the regions"), {Qt::SHIFT | Qt::Key_F2},
                tr("Mark the regions of the open graph yourself, then compare"), [this] { predict(); })
            .unless([this] {
                const bool again = parts_.document.isOpen() && parts_.panels.lessons().prediction().isPredicting() &&
                                   !parts_.panels.lessons().isInLesson();
                return again ? QString() : parts_.reasons.moduleToDivide();
            })
            .belowLine(),
        Command("mark-region", tr("Mark as a re&gion"), {Qt::Key_G},
                tr("While predicting: the selected operators are one region"),
                [this] { parts_.panels.lessons().prediction().markSelection(); })
            .unless([this] {
                return !parts_.reasons.selection().isEmpty() ? parts_.reasons.selection()
                       : parts_.panels.lessons().prediction().isPredicting()
                           ? QString()
                           : tr("Start with Flow › Predict the regions");
            }),
        Command("cancel", tr("&Cancel"), {tr("Ctrl+.")}, tr("Cancel what is running"),
                [this] { parts_.window.jobs().cancelAll(); })
            .unless([this] { return parts_.window.jobs().busy() ? QString() : tr("Nothing is running"); })
            .belowLine(),
    };
}

void FlowMenu::changeChoice(const QString& name, const std::function<void(FlowChoice&)>& change) {
    FlowChoice choice = parts_.document.choice();
    change(choice);
    parts_.document.changeChoice(std::move(choice), name);
}

void FlowMenu::switchPass(const QString& step, bool FlowChoice::*field) {
    changeChoice(step, [field](FlowChoice& choice) { choice.*field = !(choice.*field); });
    const FlowChoice& choice = parts_.document.choice();
    const bool divides = field == &FlowChoice::merge || field == &FlowChoice::partition;
    if (choice.*field && divides && !choice.annotate && choice.overrides->empty() && !parts_.document.annotated())
        parts_.status.tell(tr("Nothing goes to a backend yet: annotate (F6), or give operators to one (keys 1 to 9)."));
}

void FlowMenu::applyOwnFlow() {
    const AnnotatorFlow flow = *own_flow(parts_.document.choice().backends);
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
    parts_.status.tell(flow.left_out.empty() ? done : tr("%1. Left out: %2").arg(done, listed(flow.left_out)));
}

void FlowMenu::nextPass() {
    const FlowChoice& choice = parts_.document.choice();
    if (!choice.annotate && !parts_.document.annotated()) parts_.commands.action(QStringLiteral("annotate"))->trigger();
    else if (!choice.merge) parts_.commands.action(QStringLiteral("merge"))->trigger();
    else if (!choice.partition) parts_.commands.action(QStringLiteral("partition"))->trigger();
    else parts_.status.showMessage(tr("All passes were made."), 4000);
}

void FlowMenu::startOver() {
    changeChoice(tr("start over"), [](FlowChoice& choice) {
        choice = choice.after_rewriting();
        choice.annotate = choice.merge = choice.partition = false;
        choice.overrides.clear();
        choice.groups.clear();
        choice.by_cost = false;
        choice.reported = nullptr;
    });
}

void FlowMenu::run() {
    if (!parts_.document.isOpen() || parts_.document.isRunning()) return;
    parts_.settings.applyCompiler();
    with_permitted_code(&parts_.window, parts_.document.backendsThatRun(), [this](const QStringList& trusted) {
        RunRequest request = parts_.settings.run;
        if (parts_.panels.timing().machine()) request.machine = *parts_.panels.timing().machine();
        request.trusted_code = trusted;
        parts_.document.run(request);
    });
}

void FlowMenu::predict() {
    parts_.panels.show(&parts_.panels.lessons());
    parts_.panels.lessons().predictOpenGraph();
    parts_.pages.forCurrentView([](GraphView& view) { view.setFocus(); });
}

}  // namespace partita
