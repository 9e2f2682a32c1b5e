#include "app/gui/style/foreign_text.h"

#include <QEvent>
#include <QMessageBox>
#include <QTextDocument>

namespace partita {

QString as_plain(const QString& text) {
    if (!Qt::mightBeRichText(text)) return text;
    return QStringLiteral("<p style='white-space: pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
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
