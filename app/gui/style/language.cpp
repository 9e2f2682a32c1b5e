#include "app/gui/style/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include "engine/session/reason.h"

namespace partita {

namespace {

/// `depth`: how many reasons may stand in each other.
std::string said(Sentence sentence, int depth) {
    for (std::string& value : sentence.values)
        if (std::optional<Sentence> reason = depth > 0 ? read_reason(value) : std::nullopt) value = said(std::move(*reason), depth - 1);
    const QByteArray form = QCoreApplication::translate("Engine", sentence.form).toUtf8();
    return sentence.in({form.constData(), size_t(form.size())});
}

constexpr int kDeepestReason = 2;  // a limit's part, in what is said of a region, in a sentence

}  // namespace

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
    if (locale.language() == QLocale::English) return;
    for (const char* texts : {"operators", "partita"}) install(locale, QString::fromLatin1(texts), QStringLiteral(":/translations"));
}

QString say(const Sentence& sentence) { return QString::fromStdString(said(sentence, kDeepestReason)); }

QString say_reason(const std::string& text) {
    const std::optional<Sentence> reason = read_reason(text);
    return say(reason ? *reason : Sentence{text.c_str(), {}});
}

QString say_summary(const std::string& summary) { return summary.empty() ? QString() : QCoreApplication::translate("Operators", summary.c_str()); }

}  // namespace partita
