#include "app/gui/style/foreign_text.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QTextDocument>

namespace partita {

QString as_plain(const QString& text) {
    if (!Qt::mightBeRichText(text)) return text;
    return QStringLiteral("<p style='white-space: pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
}

QString shortened(const QString& text, qsizetype most) { return text.size() > most ? text.left(most) + QStringLiteral("…") : text; }

void show_in_field(QLineEdit& field, std::string_view text, bool whole) {
    constexpr size_t kLongest = 4000, kBeginning = 60;  // bytes
    whole = whole && text.size() <= kLongest;
    const QString shown = QString::fromUtf8(text.data(), qsizetype(whole ? text.size() : std::min(text.size(), kBeginning)));
    field.setText(whole ? shown : QCoreApplication::translate("Fields", "%1… (too long to be changed here)").arg(shown));
    field.setReadOnly(!whole);
    field.setModified(false);
    field.setCursorPosition(0);
}

QLabel* make_plain_label(const QString& text) {
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

QMessageBox* show_warning(QWidget* parent, const QString& title, const QString& message) {
    static const QString kError = QStringLiteral("error: ");  // the sign says it
    auto* box = new QMessageBox(QMessageBox::Warning, title, QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()), QMessageBox::Ok, parent);
    box->setInformativeText(as_plain(message.startsWith(kError) ? message.mid(kError.size()) : message));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->open();
    return box;
}

bool PlainToolTips::eventFilter(QObject* watched, QEvent* event) {
    // Qt's tool tip is a label of a class that has no header; it is polished before it gets its text.
    if (event->type() == QEvent::Polish && watched->inherits("QTipLabel")) static_cast<QLabel*>(watched)->setTextFormat(Qt::PlainText);
    return QObject::eventFilter(watched, event);
}

}  // namespace partita
