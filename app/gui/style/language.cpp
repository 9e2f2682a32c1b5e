#include "app/gui/style/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include "engine/support/sentence.h"

namespace partita {

void load_language(QCoreApplication& application, const QString& name) {
    qDeleteAll(application.findChildren<QTranslator*>(QString(), Qt::FindDirectChildrenOnly));  // of another language
    const QLocale locale = name.isEmpty() ? QLocale() : QLocale(name);
    if (!name.isEmpty()) QLocale::setDefault(locale);
    // English comes first and holds only plural forms: it is what stays where the other lacks a text.
    const auto install = [&application](const QLocale& language, const QString& file, const QString& folder) {
        auto* translator = new QTranslator(&application);
        if (translator->load(language, file, QStringLiteral("_"), folder))
            QCoreApplication::installTranslator(translator);
        else delete translator;
    };
    install(QLocale(QLocale::English), QStringLiteral("partita"), QStringLiteral(":/translations"));
    install(locale, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    if (locale.language() == QLocale::English) return;
    for (const char* texts : {"operators", "partita"})
        install(locale, QString::fromLatin1(texts), QStringLiteral(":/translations"));
}

QStringList languages() {
    const QString prefix = QStringLiteral("partita_"), ending = QStringLiteral(".qm");
    QStringList names;
    for (const QString& file : QDir(QStringLiteral(":/translations"))
                                   .entryList({prefix + QLatin1Char('*') + ending}, QDir::Files, QDir::Name))
        names << file.mid(prefix.size(), file.size() - prefix.size() - ending.size());
    return names;
}

QString say(const Sentence& sentence) {
    return QString::fromStdString(
        sentence.in([](const char* form) { return QCoreApplication::translate("Engine", form).toStdString(); }));
}

QString say_summary(const std::string& summary) {
    return summary.empty() ? QString() : QCoreApplication::translate("Operators", summary.c_str());
}

}  // namespace partita
