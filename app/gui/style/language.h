// The language of the window: the desktop's, where there is a translation, else English.
#pragma once

class QCoreApplication;
class QString;

namespace partita {

struct Sentence;

/// Loads the translation of the program and of Qt's own texts. `name` is a locale ("de", "zh_CN"); empty: the
/// desktop's. Call before the first window is made.
void load_language(QCoreApplication& application, const QString& name);

/// What the engine says, in the language of the window.
QString say(const Sentence& sentence);

}  // namespace partita
