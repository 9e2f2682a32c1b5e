#include "app/gui/window/command_reasons.h"

#include <QStackedWidget>

#include "app/gui/document/document.h"
#include "app/gui/panels/lessons/editor/lesson_editor.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"
#include "app/gui/window/presentation.h"

namespace partita {

QString CommandReasons::module() const { return document_.isOpen() ? QString() : tr("Open a module first"); }

QString CommandReasons::otherModel() const {
    const auto* tabs = qobject_cast<const QStackedWidget*>(window_.parentWidget());
    return tabs && tabs->count() > 1 ? QString() : tr("There is no other model: File › New tab opens one");
}

QString CommandReasons::moduleToDivide() const {
    return document_.isOpen() ? panels_.lessons().obstacleToDividing() : module();
}

QString CommandReasons::lesson() const {
    return panels_.lessons().isInLesson() ? QString() : tr("Open a lesson first");
}

QString CommandReasons::lessonToEdit() const {
    return panels_.lessonEditor().draft().isOpen() || !panels_.lessons().lessonFile().isEmpty() ? QString() : lesson();
}

QString CommandReasons::hiddenQuestion() const {
    if (!presentation_.isOn()) return tr("In a presentation the question of a lesson is hidden");
    return panels_.lessons().asksQuestion() ? QString() : tr("This page asks no question");
}

QString CommandReasons::graph() const {
    if (!document_.isOpen()) return module();
    return pages_.current() ? QString() : tr("A comparison is shown: go to the tab of a graph first");
}

QString CommandReasons::selection() const {
    if (!document_.isOpen()) return module();
    return document_.selection().empty() ? tr("Select operators first") : QString();
}

QString CommandReasons::twoNodes() const {
    if (pages_.current() && pages_.current()->pathShown()) return {};  // then the same key takes it back
    if (!document_.isOpen() || document_.selection().empty()) return selection();
    return document_.selection().size() < 2 ? tr("Select two nodes") : QString();
}

QString CommandReasons::ownAnnotations() const {
    return document_.annotated() ? tr("The file carries its annotations already") : QString();
}

QString CommandReasons::operators() const {
    if (!document_.isOpen() || document_.selection().empty()) return selection();
    if (!document_.hasSelectedOperators()) return tr("Parameters and constants go to no backend");
    return ownAnnotations();
}

QString CommandReasons::backends() const {
    if (!document_.isOpen()) return module();
    if (document_.annotated()) return ownAnnotations();
    if (QString asked = panels_.lessons().obstacleToDividing(); !asked.isEmpty()) return asked;
    return document_.choice().backends.empty() ? tr("Choose backends first") : QString();
}

QString CommandReasons::steps() const {
    QString answers = panels_.obstacleToAnswers();
    if (!answers.isEmpty() || document_.flow()) return answers;
    return tr("Annotate, merge or partition first");
}

QString CommandReasons::regionsOfRun() const {
    if (!document_.isOpen()) return module();
    QString answers = panels_.obstacleToAnswers();
    const RunOutcomePtr& run = document_.runOutcome();
    if (!answers.isEmpty() || (run && run->flow && !run->flow->regions.empty())) return answers;
    return tr("Divide the module and run it first");
}

}  // namespace partita
