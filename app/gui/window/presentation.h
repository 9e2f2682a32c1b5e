// A presentation: the graph alone, large, in full screen; the decision that is played stands below it.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QPointF>

class QLabel;
class QMainWindow;
class QVBoxLayout;

namespace partita {

class GraphPage;
class Pages;
class Panels;
struct Theme;

class Presentation : public QObject {
    Q_OBJECT

public:
    /// Adds its caption below what is in `column`.
    Presentation(QMainWindow& window, Pages& pages, QVBoxLayout& column);

    void setPanels(Panels& panels) { panels_ = &panels; }
    void setTheme(const Theme& theme);
    bool isOn() const { return !before_.isEmpty(); }
    void set(bool on);
    /// Shows a lesson's page, in Markdown; what it asks is hidden until revealQuestion(). "": none.
    void setPage(const QString& text, bool asks);
    void revealQuestion();
    /// Shows the sentence of a step; "": the lesson's page, or the keys alone.
    void setSentence(const QString& sentence);

signals:
    void changed(bool on);
    /// What offers itself above the graph waits until it is let go again.
    void held(bool held);

private:
    void keepSight();
    void lookAgain(bool on);

    QMainWindow& window_;
    Pages& pages_;
    Panels* panels_ = nullptr;
    QLabel* caption_;  ///< the hint on the keys, or the step's sentence
    QLabel* hint_;     ///< the same hint, small, below a step's sentence
    QString hint_color_;
    QString sentence_;
    QString page_;  ///< of a lesson
    bool hides_question_ = false;
    QByteArray before_;  ///< the window's state; empty while nothing is presented
    Qt::WindowStates shape_before_;
    struct {
        GraphPage* page = nullptr;  ///< compared only: it may be gone
        double zoom = 1;
        QPointF centre;
    } sight_before_;  ///< of the page in front, where a person had moved or zoomed
};

}  // namespace partita
