// Text on the screen that comes from files: names, messages, paths. Qt's widgets take what looks like HTML for HTML,
// with links that open and pictures that are read from wherever they say. Such text is never left to their guess.
#pragma once

#include <string_view>

#include <QLabel>
#include <QObject>

class QLineEdit;
class QMessageBox;

namespace partita {

/// A text of a file as it is shown: characters that can't be seen, those that change the writing direction, and
/// controls stand as `\u202e`, so that no name passes for another and none turns the words round it. Names stand on one
/// line; messages keep their line ends and tabs.
QString shown_name(const QString& text);
QString shown_name(std::string_view text);
QString shown_message(const QString& text);
QString shown_message(std::string_view text);
/// For menus: "&" is a letter like others, no mark of a key.
QString without_keys(QString text);
/// For menus, tabs and buttons, which are as wide as their text: its beginning and its end, where names differ, without
/// keys.
QString as_title(const QString& text);
/// So many letters of the beginning and the end of a name of any length, "…" for what lies between.
QString without_middle(const QString& text, qsizetype most);
/// For widgets that guess: the same text, escaped where it would be taken for HTML.
QString as_plain(const QString& text);
/// The first letters of a text of any length, "…" for the rest.
QString shortened(const QString& text, qsizetype most = 300);
/// A field to change the text in. One that is too long for that is shown in part, read-only: Qt's fields cut it in
/// silence. `whole` is false where the text is but the beginning of one.
void show_in_field(QLineEdit& field, std::string_view text, bool whole = true);
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
