// A home folder of a test program's own: nothing of the person who runs the tests is read or changed, and it need not
// be one that can be written.
#pragma once

#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace partita {

/// Is set in a program that has one, and in those that it starts.
inline constexpr const char* kHasOwnHome = "PARTITA_TEST_HAS_HOME";

/// Kept until the program ends. The programs that it starts share it. Compiled code stays in the person's cache, if
/// there is one, because to compile it anew takes long.
inline void use_own_home() {
    QStandardPaths::setTestModeEnabled(true);
    if (qEnvironmentVariableIsSet(kHasOwnHome)) return;
    static const QTemporaryDir home;
    if (!qEnvironmentVariableIsSet("XDG_CACHE_HOME") && qEnvironmentVariableIsSet("HOME"))
        qputenv("XDG_CACHE_HOME", qgetenv("HOME") + "/.cache");
    qputenv("HOME", home.path().toLocal8Bit());
    qputenv(kHasOwnHome, "1");
}

/// The same, without what a test of this name kept before.
inline void use_own_empty_home(const QString& test) {
    use_own_home();
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    QDir(data + "/PartitaTest/" + test).removeRecursively();
}

}  // namespace partita
