// The language of the window: the desktop's, where there is a translation, else English.
#pragma once

class QCoreApplication;
class QString;

namespace partita {

/// Loads the translation of the program and of Qt's own texts. `name` is a locale ("de", "zh_CN"); empty: the
/// desktop's. Call before the first window is made.
void load_language(QCoreApplication& application, const QString& name);

}  // namespace partita
