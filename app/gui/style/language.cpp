#include "app/gui/style/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include "engine/support/sentence.h"

namespace partita {

void load_language(QCoreApplication& application, const QString& name) {
    const QLocale locale = name.isEmpty() ? QLocale() : QLocale(name);
    if (!name.isEmpty()) QLocale::setDefault(locale);
    // English comes first and holds only plural forms: it is what stays where the other lacks a text.
    const auto install = [&application](const QLocale& language, const QString& file, const QString& folder) {
        auto* translator = new QTranslator(&application);
        if (translator->load(language, file, QStringLiteral("_"), folder)) QCoreApplication::installTranslator(translator);
        else delete translator;
    };
    install(QLocale(QLocale::English), QStringLiteral("partita"), QStringLiteral(":/translations"));
    install(locale, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    if (locale.language() != QLocale::English) install(locale, QStringLiteral("partita"), QStringLiteral(":/translations"));
}

QString say(const Sentence& sentence) {
    const QByteArray form = QCoreApplication::translate("Engine", sentence.form).toUtf8();
    return QString::fromStdString(sentence.in({form.constData(), size_t(form.size())}));
}

}  // namespace partita
