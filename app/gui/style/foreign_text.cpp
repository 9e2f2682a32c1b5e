#include "app/gui/style/foreign_text.h"

#include <algorithm>

#include <QCoreApplication>
#include <QEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QTextDocument>

namespace partita {

namespace {

bool is_hidden(QChar letter) {
    switch (letter.category()) {
        case QChar::Other_Control:
        case QChar::Other_Format:
        case QChar::Separator_Line:
        case QChar::Separator_Paragraph: return true;
        default: return false;
    }
}

bool is_space(QChar letter) { return letter == QLatin1Char('\n') || letter == QLatin1Char('\t'); }

/// Most texts hide nothing and are passed on as they are.
QString with_hidden_shown(const QString& text, bool keep_spaces) {
    const auto unwanted = [keep_spaces](QChar letter) {
        return is_hidden(letter) && !(keep_spaces && is_space(letter));
    };
    if (std::none_of(text.begin(), text.end(), unwanted)) return text;
    QString result;
    result.reserve(text.size() + 16);
    for (const QChar letter : text)
        if (unwanted(letter)) result += QStringLiteral("\\u%1").arg(letter.unicode(), 4, 16, QLatin1Char('0'));
        else result += letter;
    return result;
}

QString from_utf8(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

}  // namespace

QString shown_name(const QString& text) { return with_hidden_shown(text, false); }
QString shown_name(std::string_view text) { return shown_name(from_utf8(text)); }
QString shown_message(const QString& text) { return with_hidden_shown(text, true); }
QString shown_message(std::string_view text) { return shown_message(from_utf8(text)); }
QString without_keys(QString text) { return text.replace(QLatin1Char('&'), QLatin1String("&&")); }
QString as_title(const QString& text) { return without_keys(without_middle(text, 48)); }

QString without_middle(const QString& text, qsizetype most) {
    if (text.size() <= most) return text;
    const qsizetype beginning = most * 2 / 5;
    return text.left(beginning) + QStringLiteral("…") + text.right(most - beginning);
}

QString as_plain(const QString& text) {
    if (!Qt::mightBeRichText(text)) return text;
    return QStringLiteral("<p style='white-space: pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
}

QString shortened(const QString& text, qsizetype most) {
    return text.size() > most ? text.left(most) + QStringLiteral("…") : text;
}

void show_in_field(QLineEdit& field, std::string_view text, bool whole) {
    constexpr size_t kLongest = 4000, kBeginning = 60;  // bytes
    whole = whole && text.size() <= kLongest;
    const QString shown =
        QString::fromUtf8(text.data(), qsizetype(whole ? text.size() : std::min(text.size(), kBeginning)));
    field.setText(whole ? shown
                        : QCoreApplication::translate("Fields", "%1… (too long to be changed here)").arg(shown));
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
    auto* box = new QMessageBox(QMessageBox::Warning, title, QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()),
                                QMessageBox::Ok, parent);
    box->setInformativeText(as_plain(shown_message(message.startsWith(kError) ? message.mid(kError.size()) : message)));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->open();
    return box;
}

bool PlainToolTips::eventFilter(QObject* watched, QEvent* event) {
    // Qt's tool tip is a label of a class that has no header; it is polished before it gets its text.
    if (event->type() == QEvent::Polish && watched->inherits("QTipLabel"))
        static_cast<QLabel*>(watched)->setTextFormat(Qt::PlainText);
    return QObject::eventFilter(watched, event);
}

}  // namespace partita
