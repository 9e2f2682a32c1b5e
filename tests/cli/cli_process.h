// Runs the real partita-cli for a test.
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

struct CliRun {
    int status = -1;  ///< the exit status; -1: it crashed or timed out
    QByteArray output, errors;

    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
};

/// Runs partita-cli. `input`: the file for standard input; none if empty.
inline CliRun run_cli(const QStringList& arguments, const QString& folder = {}, const QString& input = {}) {
    QProcess process;
    process.setStandardInputFile(input.isEmpty() ? QProcess::nullDevice() : input);
    if (!folder.isEmpty()) process.setWorkingDirectory(folder);
    process.start(PARTITA_CLI, arguments);
    CliRun run;
    if (!process.waitForFinished(300000)) process.kill();
    else if (process.exitStatus() == QProcess::NormalExit) run.status = process.exitCode();
    run.output = process.readAllStandardOutput();
    run.errors = process.readAllStandardError();
    return run;
}

inline QString sample(const QString& name) { return QString(PARTITA_SOURCE_DIR "/samples/") + name; }

inline QByteArray content_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void write_content(const QString& path, const QByteArray& content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("can't write %s", qPrintable(path));
    file.write(content);
}
