// A presentation: the graph alone, large, in full screen; the decision that is played stands below it, and the page of
// a lesson beside it, or below it where the screen is not wide.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QPointF>

class QBoxLayout;
class QLabel;
class QMainWindow;
class QScrollArea;
class QTimer;
class QVBoxLayout;

namespace partita {

class GraphPage;
class PageText;
class Pages;
class Panels;
struct Theme;

class Presentation : public QObject {
    Q_OBJECT

public:
    /// Adds its caption below what is in `column`, and the page of a lesson at the other side of `sides`.
    Presentation(QMainWindow& window, Pages& pages, QVBoxLayout& column, QBoxLayout& sides);

    void setPanels(Panels& panels) { panels_ = &panels; }
    void setTheme(const Theme& theme);
    bool isOn() const { return !before_.isEmpty(); }
    void set(bool on);
    /// Shows a lesson's page, in Markdown, with the choices of its question; what it asks is hidden until
    /// revealQuestion(). "": none.
    void setPage(const QString& text, const QString& choices, bool asks);
    void revealQuestion();
    /// Gives the class a minute more to answer; the first time two. It ends with the page.
    void addMinute();
    /// Shows the sentence of a step; "": the keys alone.
    void setSentence(const QString& sentence);

signals:
    void changed(bool on);
    /// What offers itself above the graph waits until it is let go again.
    void held(bool held);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void keepSight();
    void showPage();
    void placePage();
    void lookAgain(bool on);
    void fitPage();
    void showClock();

    QMainWindow& window_;
    Pages& pages_;
    Panels* panels_ = nullptr;
    QLabel* clock_;    ///< the time that is left, over the caption
    QLabel* caption_;  ///< the hint on the keys, or the step's sentence
    QLabel* hint_;     ///< the same hint, small, below a step's sentence
    QString hint_color_;
    QString sentence_;
    QBoxLayout& sides_;
    QScrollArea* page_area_;
    PageText* page_text_;
    QTimer* second_;
    int seconds_left_ = -1;   ///< negative: no time is taken
    QString page_, choices_;  ///< of a lesson
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
