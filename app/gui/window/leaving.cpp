#include "app/gui/window/leaving.h"

#include <utility>

#include <QMessageBox>

#include "app/gui/document/document.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"

namespace partita {

Leaving::Leaving(Document& document, Pages& pages, Panels& panels, QWidget& window, std::function<bool()> save)
    : QObject(&window), document_(document), pages_(pages), panels_(panels), window_(window), save_(std::move(save)) {
    panels_.lessons().setLeaving([this](std::function<void()> go_on) { leaveDocument(std::move(go_on)); });
    session_timer_.setSingleShot(true);
    session_timer_.setInterval(1000);  // not at every key, yet soon enough to lose nothing worth mentioning
    connect(&session_timer_, &QTimer::timeout, this, [this] {
        document_.autosave();
        document_.keepSession();
    });
    connect(&document_, &Document::choiceChanged, this, &Leaving::keepSoon);
    connect(&document_, &Document::bookmarksChanged, this, &Leaving::keepSoon);
    connect(&document_, &Document::inputsChanged, this, &Leaving::keepSoon);
    connect(&document_, &Document::runFinished, this, &Leaving::keepSoon);
    connect(&document_, &Document::projectSaved, this, [this] {
        if (const auto go_on = std::exchange(when_saved_, nullptr)) QTimer::singleShot(0, this, go_on);
    });
    connect(&document_, &Document::projectNotSaved, this, [this] { when_saved_ = nullptr; });
}

/// Not started anew by the next change: someone who never pauses loses no more than others.
void Leaving::keepSoon() {
    ending_ = false;
    if (keeps_ && !session_timer_.isActive()) session_timer_.start();
}

/// Passes that were switched on are soon made again; what a person placed or edited is not.
bool Leaving::hasWorkToSave() const {
    if (!document_.isUnsaved() || panels_.lessons().isInLesson()) return false;
    return !document_.projectPath().isEmpty() || document_.hasHandwork();
}

/// The same at the end of the program: rules go along to the next file, but not to the next start.
bool Leaving::hasWorkToSaveAtTheEnd() const {
    return hasWorkToSave() ||
           (document_.isUnsaved() && !panels_.lessons().isInLesson() && panels_.rules().hasUnsavedRules());
}

void Leaving::leaveDocument(std::function<void()> go_on) {
    if (!hasWorkToSave()) return go_on();
    askToSave(std::move(go_on));
}

void Leaving::askToSave(std::function<void()> go_on) {
    const bool asked = go_on_ != nullptr;
    go_on_ = std::move(go_on);  // of several that wait for one answer, the last one asked for
    if (asked) return;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Save the project?"),
                                as_plain(tr("%1 has changes that were not saved.").arg(shown_name(document_.title()))),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
    box->setObjectName(QStringLiteral("leave-document"));
    box->setDefaultButton(QMessageBox::Save);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::finished, this, [this](int answer) {
        const std::function<void()> go_on = std::exchange(go_on_, nullptr);
        if (answer == QMessageBox::Discard) return go_on();
        if (answer == QMessageBox::Save && save_()) when_saved_ = go_on;
    });
    box->open();
}

bool Leaving::mayClose() {
    if (closing_ || ending_) return true;
    if (panels_.rules().hasFaultyTexts() && !rules_left_) {
        panels_.rules().leave([this] {
            rules_left_ = true;
            window_.close();
            rules_left_ = false;
        });
        return false;
    }
    // The session keeps it, too, but the next file that is opened takes its place there.
    if (!hasWorkToSaveAtTheEnd()) return true;
    askToSave([this] {
        closing_ = true;
        window_.close();
    });
    return false;
}

void Leaving::keepForNextStart() {
    ending_ = true;
    session_timer_.stop();
    keepView();
    if (keeps_) panels_.rules().keepDraftsForNextStart();
    if (hasWorkToSaveAtTheEnd()) document_.keepForNextStart();
    else document_.forgetAutosave();
}

void Leaving::keepNothing() {
    keeps_ = false;
    session_timer_.stop();
}

void Leaving::finish() {
    session_timer_.stop();
    document_.keepSession();
    keepView();
    if (!ending_) document_.forgetAutosave();
}

void Leaving::keepView() const {
    if (document_.isOpen() && !panels_.lessons().isInLesson()) pages_.keepView();
}

}  // namespace partita
