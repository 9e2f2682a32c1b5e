// The layers of the code: which folder may include which. Enter new folders here.
#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

#include "tests/registry.h"

namespace test_layers {

namespace {

/// From the lowest up. A file may include files of lower layers and of its own folder.
const QStringList kEngine = {
    "support",
    "ir",
    "ops",
    "frontends frontends/relay layout",
    "frontends/onnx frontends/json graph",
    "frontends/onnxruntime frontends/litert frontends/torch frontends/relax frontends/model_explorer",
    "division",
    "annotators",
    "rules",
    "placement",
    "passes",
    "partitioners/relax",
    "partitioners",
    "blocks",
    "diff edits",
    "program",
    "backends",
    "backends/ccompiler backends/dnnl backends/reference",
    "backends/plugin",
    "runtime",
    "flow",
    "costs",
    "explain",
    "exporters",
    "exporters/onnx",
    "session",
    "lessons",
};
const QStringList kWindow = {
    "style jobs",
    "document",
    "canvas",
    "editing",
    "panels/coverage panels/inspector panels/lessons panels/numbers panels/outline panels/problems panels/rules "
    "panels/steps "
    "panels/text "
    "panels/timing",
    "panels/lessons/editor",
    "diff",
    "window",
    ".",
};
/// The parts of the engine that the window and the command line may include: session, and the layers whose values it
/// returns. They must not depend on how a module is read, divided, compiled and run.
const QString kFaceOfEngine =
    "support ir ops layout graph division partitioners frontends frontends/relay annotators rules edits blocks runtime "
    "flow costs explain "
    "exporters "
    "session lessons";
const QString kPluginProtocol = "backends/plugin";

struct Include {
    QString file, folder;       ///< the including file and its folder
    QString target, of_folder;  ///< the included file and its folder
};

QString folder_of(const QString& path) { return path.section('/', 0, -2); }

QVector<Include> includes_in(const QString& root) {
    static const QRegularExpression line("^#include \"((?:engine|app)/[^\"]+)\"", QRegularExpression::MultilineOption);
    QVector<Include> includes;
    const QDir project(PARTITA_SOURCE_DIR);
    QDirIterator files(project.filePath(root), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QString name = project.relativeFilePath(file.fileName());
        auto found = line.globalMatch(QString::fromUtf8(file.readAll()));
        while (found.hasNext()) {
            const QString target = found.next().captured(1);
            includes.append({name, folder_of(name), target, folder_of(target)});
        }
    }
    return includes;
}

/// Returns the layer of each folder, by its path in the project.
QHash<QString, int> numbered(const QStringList& floors, const QString& root) {
    QHash<QString, int> number;
    for (int i = 0; i < floors.size(); ++i)
        for (const QString& folder : floors[i].split(' ')) number[folder == "." ? root : root + "/" + folder] = i;
    return number;
}

/// Returns the includes within a program that point upwards or sideways, and the folders that are missing from the
/// table.
QStringList faults_inside(const QStringList& floors, const QString& root) {
    const QHash<QString, int> floor = numbered(floors, root);
    QStringList faults;
    for (const Include& include : includes_in(root)) {
        if (!floor.contains(include.folder)) faults << include.folder + " stands on no floor";
        if (include.of_folder == include.folder || !include.target.startsWith(root + "/")) continue;
        if (floor.value(include.of_folder, INT_MAX) >= floor.value(include.folder))
            faults << include.file + " includes " + include.target;
    }
    faults.removeDuplicates();
    return faults;
}

/// Returns the includes of a program that are neither its own nor allowed parts of the engine.
QStringList faults_outside(const QString& root, const QString& known) {
    const QStringList folders = known.split(' ');
    QStringList faults;
    for (const Include& include : includes_in(root)) {
        if (include.target.startsWith(root + "/")) continue;
        if (!folders.contains(include.of_folder.section('/', 1)) || !include.target.startsWith("engine/"))
            faults << include.file + " includes " + include.target;
    }
    return faults;
}

}  // namespace

class TestLayers : public QObject {
    Q_OBJECT
private slots:
    void foldersIncludeLowerFloorsOnly_data() {
        QTest::addColumn<QStringList>("faults");
        QTest::newRow("engine") << faults_inside(kEngine, "engine");
        QTest::newRow("window") << faults_inside(kWindow, "app/gui");
    }
    void foldersIncludeLowerFloorsOnly() {
        QFETCH(QStringList, faults);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    void programsKnowTheFaceOfTheEngineAlone_data() {
        QTest::addColumn<QStringList>("faults");
        QTest::newRow("engine") << faults_outside("engine", "");
        QTest::newRow("window") << faults_outside("app/gui", kFaceOfEngine);
        QTest::newRow("command line") << faults_outside("app/cli", kFaceOfEngine);
        QTest::newRow("Python") << faults_outside("app/python", kFaceOfEngine);
        QTest::newRow("plug-ins' host") << faults_outside("app/plugin_host", kPluginProtocol);
    }
    void programsKnowTheFaceOfTheEngineAlone() {
        QFETCH(QStringList, faults);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }
};

PARTITA_TEST(TestLayers)

}  // namespace test_layers

#include "test_layers.moc"
