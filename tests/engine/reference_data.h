// Access to the reference data: its location, its lines of JSON, and equality of Relay texts under its own tool. Tests
// skip with a message if it is missing.
#pragma once

#include <QtTest>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace partita::testing {

inline QString reference_folder() {
    QString folder = qEnvironmentVariable("PARTITA_REFERENCE");
    if (folder.isEmpty()) folder = QStringLiteral(PARTITA_SOURCE_DIR "/../shared/reference");
    return QFile::exists(folder + "/README.md") ? folder : QString();
}

inline std::string read_text(const QString& path) {
    std::ifstream file(path.toStdString(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::vector<nlohmann::json> read_json_lines(const QString& path) {
    std::vector<nlohmann::json> lines;
    std::ifstream file(path.toStdString());
    for (std::string line; std::getline(file, line);)
        if (!line.empty()) lines.push_back(nlohmann::json::parse(line));
    return lines;
}

/// Returns the lines of tests/data/NAME.jsonl.z: data of the project's own making, which are always there.
inline std::vector<nlohmann::json> read_own_data(const QString& name) {
    QFile file(PARTITA_SOURCE_DIR "/tests/data/" + name + ".jsonl.z");
    if (!file.open(QIODevice::ReadOnly)) qFatal("no %s", qPrintable(file.fileName()));
    std::vector<nlohmann::json> lines;
    for (const QByteArray& line : qUncompress(file.readAll()).split('\n'))
        if (!line.isEmpty()) lines.push_back(nlohmann::json::parse(line.begin(), line.end()));
    return lines;
}

/// Returns the difference of two texts under tools/relay_canonical.py; "" if they are the same module.
inline QString relay_difference(const std::string& found, const std::string& expected) {
    if (found == expected) return {};
    QTemporaryDir folder;
    auto write = [&](const char* name, const std::string& text) {
        QString path = folder.filePath(name);
        std::ofstream(path.toStdString(), std::ios::binary) << text;
        return path;
    };
    QProcess tool;
    tool.start("python3", {reference_folder() + "/../tools/relay_canonical.py", write("found.relay", found),
                           write("expected.relay", expected)});
    if (!tool.waitForFinished(60000)) return "relay_canonical.py does not run";
    if (tool.exitStatus() == QProcess::NormalExit && tool.exitCode() == 0) return {};
    QString output = tool.readAllStandardOutput() + tool.readAllStandardError();
    return output.isEmpty() ? "differs" : output.left(4000);
}

}  // namespace partita::testing
