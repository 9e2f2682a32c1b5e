// Leaving what is open: asks about work that no project holds, and keeps it for a crash and for the next start.
#pragma once

#include <functional>

#include <QObject>
#include <QTimer>

class QCloseEvent;
class QWidget;

namespace partita {

class Document;
class Pages;
class Panels;

class Leaving : public QObject {
    Q_OBJECT

public:
    /// `save` writes the project, or asks for a name first; false where the person gave none.
    Leaving(Document& document, Pages& pages, Panels& panels, QWidget& window, std::function<bool()> save);

    /// Asks about work that no project holds, then goes on; at once where there is none.
    void leaveDocument(std::function<void()> go_on);
    /// Whether the window may close now; else somebody is asked first, and it closes after the answer.
    bool mayClose();
    /// Keeps unsaved work for the next start, which brings it back. Closing the window then asks nothing, until
    /// something changes.
    void keepForNextStart();
    /// Writes the session, and takes the journal away: the window closes.
    void finish();
    bool isEnding() const { return ending_; }
    /// Writes neither the journal nor the session from now on: nobody works here.
    void keepNothing();

private:
    bool hasWorkToSave() const;
    bool hasWorkToSaveAtTheEnd() const;
    void askToSave(std::function<void()> go_on);
    void keepSoon();
    void keepView() const;

    Document& document_;
    Pages& pages_;
    Panels& panels_;
    QWidget& window_;
    std::function<bool()> save_;
    QTimer session_timer_;
    bool keeps_ = true;                 ///< what is not saved, for a crash and for the next start
    bool ending_ = false;               ///< all is kept for the next start
    bool rules_left_ = false;           ///< what becomes of faulty rules is answered
    bool closing_ = false;              ///< what was to be asked before the window's end is answered
    std::function<void()> go_on_;       ///< what waits for the answer whether to save
    std::function<void()> when_saved_;  ///< what waits until the project is written: the window's end, or another file
};

}  // namespace partita
