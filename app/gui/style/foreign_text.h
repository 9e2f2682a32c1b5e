// Text on the screen that comes from files: names, messages, paths. Qt's widgets take what looks like HTML for HTML, with
// links that open and pictures that are read from wherever they say. Such text is never left to their guess.
#pragma once

#include <QLabel>
#include <QObject>

class QMessageBox;

namespace partita {

/// For widgets that guess: the same text, escaped where it would be taken for HTML.
QString as_plain(const QString& text);
/// A label that shows its text as it is.
QLabel* make_plain_label(const QString& text = QString());
/// A box with a warning that does not wait for an answer and deletes itself.
QMessageBox* show_warning(QWidget* parent, const QString& title, const QString& message);

/// An event filter for the application: tool tips show their text as it is.
class PlainToolTips : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace partita
