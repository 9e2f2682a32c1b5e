// The language of the window: the desktop's, where there is a translation, else English.
#pragma once

#include <string>

#include <QStringList>

class QCoreApplication;

namespace partita {

struct Sentence;

/// Loads the translation of the program and of Qt's own texts. `name` is a locale ("de", "zh_CN"); empty: the
/// desktop's. It takes the place of the one before; windows that are there keep their texts.
void load_language(QCoreApplication& application, const QString& name);

/// The names of the languages that there are: "en" and those with a translation.
QStringList languages();

/// What the engine says, in the language of the window; English where a form has no translation.
QString say(const Sentence& sentence);
/// The sentence that an operator's record has for it, or for one of its attributes; English where it has no
/// translation. Those stand in resources/translations/operators_*.ts.
QString say_summary(const std::string& summary);

}  // namespace partita
