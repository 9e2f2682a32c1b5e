#include "app/gui/window/code_permission.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "app/gui/style/foreign_text.h"
#include "engine/rules/codegen.h"

namespace partita {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(partita::CodePermission)
};

QString settings_key() { return QStringLiteral("run/trusted_code"); }

QString shown(const QString& text) { return shown_name(text).toHtmlEscaped(); }

constexpr qsizetype kLine = 90;  ///< letters

/// Broken after so many letters, wherever that is: a box is as wide as its longest word, and hides what is beyond the
/// screen.
QString folded(const QString& text) {
    QStringList lines;
    for (qsizetype i = 0; i < text.size(); i += kLine) lines << text.mid(i, kLine);
    return lines.join(QLatin1Char('\n'));
}

QString question(const BackendDescription& backend) {
    const QString codegen = QString::fromStdString(backend.codegen);
    const QString code = codegen.mid(codegen.indexOf(QLatin1Char(':')) + 1);
    QString file = backend.file.empty() ? Words::tr("the project") : QString::fromStdString(backend.file);
    if (file.size() > kLine) file = QStringLiteral("…") + file.right(kLine);  // its end says more
    const QString line = foreign_code(backend.codegen) == ForeignCode::Command
                             ? Words::tr("The backend <b>%1</b> of %2 runs a program:")
                             : Words::tr("The backend <b>%1</b> of %2 loads a library:");
    const QString whole = folded(shown_name(code)).toHtmlEscaped();
    return QStringLiteral("<p>%1</p><pre>%2</pre>")
        .arg(line.arg(shown(QString::fromStdString(backend.name)), shown(file)), whole);
}

}  // namespace

void with_permitted_code(QWidget* parent, const std::vector<BackendPtr>& backends,
                         const std::function<void(const QStringList& trusted)>& go) {
    const QStringList trusted = QSettings().value(settings_key()).toStringList();
    QStringList asked;
    QString questions;
    qsizetype letters = 0;
    for (const BackendPtr& backend : backends) {
        const QString codegen = QString::fromStdString(backend->codegen);
        if (foreign_code(backend->codegen) == ForeignCode::None || trusted.contains(codegen) || asked.contains(codegen))
            continue;
        letters += codegen.size();
        if (letters > qsizetype(kLongestForeignCode) && !asked.isEmpty())
            break;  // the box would be higher than the screen; the others are asked for next
        asked << codegen;
        questions += question(*backend);
    }
    if (asked.isEmpty()) return go(trusted);
    auto* box = new QMessageBox(QMessageBox::Warning, Words::tr("May it run?"), QString(), QMessageBox::Cancel, parent);
    box->setObjectName(QStringLiteral("code-permission"));
    box->setText(Words::tr("<b>A backend brings code of its own</b>"));
    box->setInformativeText(questions + Words::tr("<p>It can do on this machine whatever you can. Allow it if you "
                                                  "trust where it comes from; you are asked only once.</p>"));
    QPushButton* allow = box->addButton(Words::tr("Allow"), QMessageBox::AcceptRole);
    QPushButton* without = box->addButton(Words::tr("Run on default instead"), QMessageBox::DestructiveRole);
    allow->setObjectName(QStringLiteral("allow"));
    without->setObjectName(QStringLiteral("without"));
    box->setDefaultButton(without);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(box, &QMessageBox::buttonClicked, parent, [=](QAbstractButton* button) {
        if (button == without) return go(trusted);
        if (button != allow) return;
        QSettings().setValue(settings_key(), trusted + asked);
        with_permitted_code(parent, backends, go);
    });
    box->open();
}

void forget_permitted_code() { QSettings().remove(settings_key()); }

}  // namespace partita
