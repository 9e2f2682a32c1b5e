// What a person did survives: kills at any moment, full disks, folders that can't be written, files that go away.
//
// The killed process is this program with --child: it opens a module, changes its division again and again, saves
// and autosaves, and says before each step what the step will hold. PARTITA_KILLS says how often it is killed
// (default 15).
#include <csignal>
#include <iostream>
#include <random>

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/gui/document/document.h"
#include "app/gui/window/backends_dialog.h"
#include "engine/flow/names.h"
#include "engine/frontends/relay/printer.h"
#include "engine/runtime/run_record.h"
#include "engine/session/project.h"
#include "engine/support/file.h"
#include "tests/app/own_home.h"
#include "tests/registry.h"

namespace test_never_lose_work {

using namespace partita;

namespace {

const char* const kModule = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(10, 10), float32], %y: Tensor[(10, 10), float32]) {
  %0 = add(%x, %y);
  %1 = multiply(%0, %y);
  divide(%1, %x)
}
)";

/// The choice number n: which of the calls are given away, as bits.
FlowChoice numbered(const FlowChoice& from, const Module& module, int n) {
    FlowChoice choice = from;
    Overrides overrides;
    int bit = 0;
    for (uint32_t i = 0; i < module.size(); ++i)
        if (module.called_op(ExprId(i)).valid() && (n >> bit++ & 1)) overrides[ExprId(i)] = "ccompiler";
    choice.overrides = HandPlacement(overrides);
    choice.annotate = n & 8;
    choice.include_non_call_ops = n & 16;
    return choice;
}

QByteArray text_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The choice number that a project holds, or -1 where it is no project.
int number_in(const QByteArray& text, const QString& path) {
    Result<Project> project = read_project(text.toStdString(), path.toStdString());
    if (!project) return -1;
    int number = 0;
    const char* names[] = {"add", "multiply", "divide"};
    for (const ProjectAssignment& given : project->assignments)
        for (int bit = 0; bit < 3; ++bit)
            if (given.name.rfind(names[bit], 0) == 0) number |= 1 << bit;
    return number | (project->choice.annotate ? 8 : 0) | (project->choice.include_non_call_ops ? 16 : 0);
}

/// Changes, saves and autosaves until it is killed.
int run_child(const QString& folder) {
    JobRunner jobs;
    Document document(jobs);
    document.open(folder + "/module.relay");
    if (!jobs.waitUntilIdle(60000) || !document.isOpen()) return 1;
    for (int n = 0;; n = (n + 1) % 32) {
        document.changeChoice(numbered(document.choice(), *document.module(), n), QStringLiteral("change"));
        std::cout << "autosave " << n << std::endl;
        document.autosave();
        if (n % 3 == 0) {
            std::cout << "save " << n << std::endl;
            document.saveProject(folder + "/work.partita");
        }
        if (n % 4 == 0) jobs.waitUntilIdle(60000);
        QCoreApplication::processEvents();
    }
}

}  // namespace

class TestNeverLoseWork : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    struct Opened {
        JobRunner jobs;
        Document document{jobs};
    };
    std::unique_ptr<Opened> open(const QString& path) {
        auto opened = std::make_unique<Opened>();
        opened->document.open(path);
        return opened->jobs.waitUntilIdle(60000) && opened->document.isOpen() ? std::move(opened) : nullptr;
    }
    QString module_in(const QString& folder) {
        const QString path = folder + "/module.relay";
        if (!write_file(path.toStdString(), kModule)) qFatal("can't write the module");
        return path;
    }

private slots:
    void cleanup() { QDir(Autosave::defaultFolder()).removeRecursively(); }

    void aKillAtAnyMomentLeavesWhatWasSavedOrAutosaved() {
        bool ok = false;
        int kills = qEnvironmentVariableIntValue("PARTITA_KILLS", &ok);
        if (!ok) kills = 15;
        std::mt19937 random(7);
        int with_project = 0, with_autosave = 0;
        for (int kill = 0; kill < kills; ++kill) {
            QTemporaryDir folder;
            module_in(folder.path());
            QProcess child;
            child.setStandardErrorFile(QProcess::nullDevice());
            child.start(testing::program_of_test(), {"--child", folder.path()});
            QVERIFY(child.waitForStarted());
            // Some steps later, for a time alone comes before the first file on a slow disk.
            const int steps = 1 + int(random() % 20);
            QByteArray said;
            while (said.count('\n') < steps) {
                QVERIFY(child.waitForReadyRead(60000));
                said += child.readAllStandardOutput();
            }
            QTest::qWait(int(random() % 20));
            ::kill(pid_t(child.processId()), SIGKILL);
            QVERIFY(child.waitForFinished(60000));
            std::vector<int> saves, autosaves;
            for (const QByteArray& line : (said + child.readAllStandardOutput()).split('\n')) {
                if (line.startsWith("save ")) saves.push_back(line.mid(5).toInt());
                if (line.startsWith("autosave ")) autosaves.push_back(line.mid(9).toInt());
            }
            const QString project = folder.filePath("work.partita");
            if (QFile::exists(project)) {
                ++with_project;
                const int number = number_in(text_of(project), project);
                QVERIFY2(std::find(saves.begin(), saves.end(), number) != saves.end(),
                         "the project holds what was saved at some time");
            }
            for (const Autosave::LeftBehind& left : Autosave::leftBehind()) {
                ++with_autosave;
                const int number = number_in(text_of(left.file), left.file);
                QVERIFY2(std::find(autosaves.begin(), autosaves.end(), number) != autosaves.end(),
                         "the journal holds a state that there was");
                QCOMPARE(left.module, folder.filePath("module.relay"));
                Autosave::discard(left.file);
            }
            // What can't be read would not be offered: nothing may be left in the folder but torn temporaries.
            QVERIFY(QDir(Autosave::defaultFolder()).entryList({"*.partita"}, QDir::Files).isEmpty());
        }
        qInfo("%d kills: %d projects, %d autosaves found whole", kills, with_project, with_autosave);
        QVERIFY(with_autosave > 0);
    }

    void whatIsUnsavedIsInTheJournalAndGoesWhenItIsSaved() {
        QTemporaryDir folder;
        auto opened = open(module_in(folder.path()));
        QVERIFY(opened);
        Document& document = opened->document;
        document.autosave();
        QVERIFY(!QDir(Autosave::defaultFolder()).exists());  // nothing to keep, nothing written
        document.changeChoice(numbered(document.choice(), *document.module(), 5), QStringLiteral("change"));
        document.autosave();
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QTRY_COMPARE(QDir(Autosave::defaultFolder()).entryList({"*.partita"}, QDir::Files).size(), 1);
        QVERIFY(Autosave::leftBehind().empty());  // this process runs
        document.saveProject(folder.filePath("work.partita"));
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QTRY_VERIFY(QDir(Autosave::defaultFolder()).entryList({"*.partita"}, QDir::Files).isEmpty());
        QVERIFY(!document.isUnsaved());
    }

    void recoveringGoesOnAsUnsavedChangesOfItsProject() {
        QTemporaryDir folder;
        const QString module = module_in(folder.path()), project = folder.filePath("work.partita");
        {
            auto opened = open(module);
            QVERIFY(opened);
            opened->document.saveProject(project);
            QVERIFY(opened->jobs.waitUntilIdle(60000));
            opened->document.changeChoice(numbered(opened->document.choice(), *opened->document.module(), 6),
                                          QStringLiteral("change"));
            opened->document.autosave();
        }
        // The process "ends" without taking its file away.
        std::vector<Autosave::LeftBehind> left = Autosave::leftBehind();
        QCOMPARE(left.size(), size_t(1));
        QCOMPARE(left[0].project, project);
        Opened again;
        again.document.recover(left[0].file);
        QVERIFY(again.jobs.waitUntilIdle(60000));
        QVERIFY(again.document.isOpen());
        QVERIFY(again.document.isUnsaved());
        QCOMPARE(again.document.projectPath(), project);
        QCOMPARE(again.document.choice().overrides->size(), size_t(2));
        QTRY_VERIFY(!QFile::exists(left[0].file));
        QCOMPARE(QDir(Autosave::defaultFolder()).entryList({"*.partita"}, QDir::Files).size(), 1);  // its own
    }

    void whatWasRecoveredStaysUntilItIsKeptUnderAnotherName() {
        QTemporaryDir folder;
        const QString module = module_in(folder.path());
        {
            auto opened = open(module);
            QVERIFY(opened);
            opened->document.changeChoice(numbered(opened->document.choice(), *opened->document.module(), 6),
                                          QStringLiteral("change"));
            opened->document.autosave();
        }
        const std::vector<Autosave::LeftBehind> left = Autosave::leftBehind();
        QCOMPARE(left.size(), size_t(1));
        Opened again;
        rlimit usual{};
        ::getrlimit(RLIMIT_FSIZE, &usual);
        rlimit small = usual;
        small.rlim_cur = 16;
        std::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &small);
        again.document.recover(left[0].file);
        const bool idle = again.jobs.waitUntilIdle(60000);
        QTest::qWait(300);
        ::setrlimit(RLIMIT_FSIZE, &usual);
        QVERIFY(idle && again.document.isOpen());
        QVERIFY(QFile::exists(left[0].file));
        again.document.autosave();
        QTRY_VERIFY(!QFile::exists(left[0].file));
        QCOMPARE(QDir(Autosave::defaultFolder()).entryList({"*.partita"}, QDir::Files).size(), 1);
    }

    void aFailedSaveTellsWhyAndKeepsTheOldFile_data() {
        QTest::addColumn<QString>("trouble");
        for (const char* trouble : {"file size limit", "read-only folder", "folder is gone", "a folder of that name"})
            QTest::newRow(trouble) << trouble;
    }
    void aFailedSaveTellsWhyAndKeepsTheOldFile() {
        QFETCH(QString, trouble);
        if (trouble == "read-only folder" && ::geteuid() == 0) QSKIP("root may write everywhere");
        QTemporaryDir folder;
        auto opened = open(module_in(folder.path()));
        QVERIFY(opened);
        Document& document = opened->document;
        QDir(folder.path()).mkdir("place");
        const QString project = folder.filePath("place/work.partita");
        document.saveProject(project);
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        const QByteArray before = text_of(project);
        QVERIFY(!before.isEmpty());
        document.changeChoice(numbered(document.choice(), *document.module(), 7), QStringLiteral("change"));

        QString message;
        connect(&document, &Document::projectNotSaved, this,
                [&](const QString&, const QString& text) { message = text; });
        rlimit old{};
        ::getrlimit(RLIMIT_FSIZE, &old);
        QString target = project;
        if (trouble == "file size limit") {
            std::signal(SIGXFSZ, SIG_IGN);
            rlimit small = old;
            small.rlim_cur = 64;
            ::setrlimit(RLIMIT_FSIZE, &small);
        }
        if (trouble == "read-only folder")
            QFile::setPermissions(folder.filePath("place"), QFile::ReadOwner | QFile::ExeOwner);
        if (trouble == "folder is gone") target = folder.filePath("gone/work.partita");
        if (trouble == "a folder of that name") QVERIFY(QDir().mkpath(target = folder.filePath("place/other.partita")));
        document.saveProject(target);
        const bool idle = opened->jobs.waitUntilIdle(60000);
        ::setrlimit(RLIMIT_FSIZE, &old);
        QFile::setPermissions(folder.filePath("place"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QVERIFY(idle);
        QVERIFY2(message.contains("can't write"), qPrintable(message));
        QCOMPARE(text_of(project), before);
        QVERIFY(document.isUnsaved());
        QCOMPARE(QDir(folder.filePath("place")).entryList({".partita-*"}, QDir::Files | QDir::Hidden).size(), 0);
        // And when the trouble is over, it works.
        document.saveProject(project);
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QVERIFY(text_of(project) != before);
        QVERIFY(!document.isUnsaved());
    }

    void aModuleThatWentAwayLosesNothing() {
        QTemporaryDir folder;
        const QString module = module_in(folder.path());
        auto opened = open(module);
        QVERIFY(opened);
        Document& document = opened->document;
        document.saveProject(folder.filePath("before.partita"));
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QVERIFY(QFile::remove(module));
        document.changeChoice(numbered(document.choice(), *document.module(), 3), QStringLiteral("change"));
        document.autosave();
        QTRY_COMPARE(QDir(Autosave::defaultFolder()).entryList({"*.partita"}, QDir::Files).size(), 1);
        document.saveProject(folder.filePath("work.partita"));
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QCOMPARE(number_in(text_of(folder.filePath("work.partita")), folder.filePath("work.partita")), 3);
        // What was saved when the module was there says what it misses; what was saved since holds the module.
        JobRunner jobs;
        Document again(jobs);
        QString message;
        connect(&again, &Document::openFailed, this, [&](const QString&, const QString& text) { message = text; });
        again.open(folder.filePath("before.partita"));
        QVERIFY(jobs.waitUntilIdle(60000));
        QVERIFY2(message.contains("module.relay"), qPrintable(message));
        again.open(folder.filePath("work.partita"));
        QVERIFY(jobs.waitUntilIdle(60000));
        QCOMPARE(again.choice().overrides->size(), size_t(2));
    }

    void aJournalThatCantBeWrittenIsSaidOnce() {
        QTemporaryDir folder;
        auto opened = open(module_in(folder.path()));
        QVERIFY(opened);
        Document& document = opened->document;
        int told = 0;
        connect(&document, &Document::notKept, this, [&] { ++told; });
        QDir(Autosave::defaultFolder()).removeRecursively();
        QDir().mkpath(QFileInfo(Autosave::defaultFolder()).path());
        QFile in_the_way(Autosave::defaultFolder());
        QVERIFY(in_the_way.open(QIODevice::WriteOnly));
        for (int n = 1; n < 4; ++n) {
            document.changeChoice(numbered(document.choice(), *document.module(), n), QStringLiteral("change"));
            document.autosave();
            QTest::qWait(100);
        }
        in_the_way.remove();
        QCOMPARE(told, 1);
    }

    void theLastOfSeveralSavesStays() {
        QTemporaryDir folder;
        auto opened = open(module_in(folder.path()));
        QVERIFY(opened);
        Document& document = opened->document;
        for (int n = 0; n < 32; ++n) {
            document.changeChoice(numbered(document.choice(), *document.module(), n), QStringLiteral("change"));
            document.saveProject(folder.filePath("work.partita"));
        }
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QCOMPARE(number_in(text_of(folder.filePath("work.partita")), folder.filePath("work.partita")), 31);
    }

    void whatChangesWhileASaveIsWrittenIsUnsaved() {
        QTemporaryDir folder;
        auto opened = open(module_in(folder.path()));
        QVERIFY(opened);
        Document& document = opened->document;
        document.changeChoice(numbered(document.choice(), *document.module(), 1), QStringLiteral("change"));
        document.saveProject(folder.filePath("work.partita"));
        document.changeChoice(numbered(document.choice(), *document.module(), 2), QStringLiteral("change"));
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QVERIFY(document.isUnsaved());
        QCOMPARE(number_in(text_of(folder.filePath("work.partita")), folder.filePath("work.partita")), 1);
        document.saveProject(folder.filePath("work.partita"));
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QVERIFY(!document.isUnsaved());
        QCOMPARE(number_in(text_of(folder.filePath("work.partita")), folder.filePath("work.partita")), 2);
    }

    // ---- The project's format ----

    void noMoreRunsAreReadThanAreKept() {
        RunRecord record;
        record.title = "m";
        record.made = time_stamp();
        std::string runs;
        for (size_t i = 0; i < kMostKeptRuns + 3; ++i) runs += (i ? ", " : "") + format_run_record(record);
        const Result<Project> project = read_project(
            R"({"format": "partita", "version": 2, "module": "module.relay", "runs": [)" + runs + "]}", "/x/a.partita");
        QVERIFY2(bool(project), project ? "" : project.error().to_string().c_str());
        QCOMPARE(project->runs.size(), kMostKeptRuns);
    }

    void coloursOfAnImageAreThreeNumbers_data() {
        QTest::addColumn<QString>("mean");
        QTest::addColumn<bool>("taken");
        QTest::newRow("three") << "[0, 0.5, 1]" << true;
        QTest::newRow("two") << "[0, 0.5]" << false;
        QTest::newRow("a word") << "[0, \"half\", 1]" << false;
        QTest::newRow("none") << "null" << false;
    }
    void coloursOfAnImageAreThreeNumbers() {
        QFETCH(QString, mean);
        QFETCH(bool, taken);
        const Result<Project> project = read_project(
            R"({"format": "partita", "version": 2, "module": "m.relay", "inputs": [{"parameter": "x", "file": "x.png",
                "layout": "NCHW", "scale": [1, 1, 1], "mean": )" +
                mean.toStdString() + "}]}",
            "/x/a.partita");
        QCOMPARE(bool(project), taken);
        if (taken) QCOMPARE(project->inputs.at(0).image->mean[1], 0.5);
        else QVERIFY(project.error().message.find("three numbers") != std::string::npos);
    }

    void bookmarksOfAnAnnotatedModuleAreKeptThoughItsOperatorsWereCountedOtherwise() {
        QTemporaryDir folder;
        QFile module(folder.filePath("annotated.relay"));
        QVERIFY(module.open(QIODevice::WriteOnly));
        module.write(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) {
  %0 = annotation.compiler_begin(%x, compiler="ccompiler");
  %1 = exp(%0);
  annotation.compiler_end(%1, compiler="ccompiler")
}
)");
        module.close();
        Result<OpenedModule> plain = open_module(module.fileName().toStdString());
        QVERIFY(plain);
        const ExpressionNames names(*plain->module);
        const ExprId exp = names.numbered(1);
        QCOMPARE(names.name(exp), std::string("exp #1"));
        const auto written = [&](const char* name) {
            return QJsonObject{{"format", "partita"},
                               {"version", 2},
                               {"module", "annotated.relay"},
                               {"bookmarks", QJsonArray{QJsonObject{{"expression", int(exp.value)}, {"name", name}}}}};
        };
        const QString project = folder.filePath("earlier.partita");
        for (const auto& [name, kept] : {std::pair{"exp #2", 1}, {"tanh #2", 0}}) {
            QVERIFY(write_file(project.toStdString(), QJsonDocument(written(name)).toJson().toStdString()));
            auto opened = open(project);
            QVERIFY(opened);
            QCOMPARE(int(opened->document.bookmarks().size()), kept);
            if (kept) QCOMPARE(opened->document.bookmarks()[0].name, std::string("exp #1"));
        }
    }

    void whatThisVersionDoesNotKnowIsKept() {
        QTemporaryDir folder;
        module_in(folder.path());
        const QString project = folder.filePath("work.partita");
        QJsonObject description =
            QJsonDocument::fromJson(QByteArray::fromStdString(load_backend("ccompiler")->source)).object();
        description["name"] = "own";
        QJsonObject backend{
            {"name", "own"}, {"text", QString::fromUtf8(QJsonDocument(description).toJson())}, {"colour", "teal"}};
        Result<OpenedModule> plain = open_text(kModule, "module");
        QVERIFY(plain);
        ExpressionNames names(*plain->module);
        QJsonObject assignment{{"expression", int(names.numbered(1).value)},
                               {"name", "add #1"},
                               {"backend", "ccompiler"},
                               {"why", QString::fromUtf8("measured \u202e")}};
        QJsonObject bookmark{{"expression", int(names.numbered(2).value)},
                             {"name", "multiply #2"},
                             {"note", QJsonObject{{"by", QJsonArray{1, 2}}}}};
        QJsonObject flow{{"merge", true}, {"fuse", "later"}},
            later{{"deep", QJsonArray{1, QJsonObject{{"x", QJsonValue::Null}}}}};
        RunRecord measured;
        measured.title = "earlier";
        measured.report.regions.emplace_back();
        QJsonObject run = QJsonDocument::fromJson(QByteArray::fromStdString(format_run_record(measured))).object();
        QJsonObject region = run["regions"][0].toObject();
        region["joules"] = 3;
        run["regions"] = QJsonArray{region};
        run["cooled_by"] = QJsonArray{"air"};
        QJsonObject given{{"format", "partita"},
                          {"version", 2},
                          {"module", "module.relay"},
                          {"later", later},
                          {"flow", flow},
                          {"runs", QJsonArray{run}},
                          {"backends", QJsonArray{backend}},
                          {"assignments", QJsonArray{assignment}},
                          {"bookmarks", QJsonArray{bookmark}}};
        QVERIFY(write_file(project.toStdString(), QJsonDocument(given).toJson().toStdString()));
        auto opened = open(project);
        QVERIFY(opened);
        measured.title = "now";
        opened->document.keepRun(std::make_shared<const RunRecord>(measured));
        opened->document.saveProject(project);
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        const QJsonObject written = QJsonDocument::fromJson(text_of(project)).object();
        QCOMPARE(QJsonDocument(written["later"].toObject()).toJson(QJsonDocument::Compact),
                 QByteArray(R"({"deep":[1,{"x":null}]})"));
        QCOMPARE(written["flow"].toObject()["fuse"].toString(), QStringLiteral("later"));
        QVERIFY(written["flow"].toObject()["merge"].toBool());
        QVERIFY(!written["digest"].toString().isEmpty());
        QCOMPARE(written["assignments"][0]["why"].toString(), QString::fromUtf8("measured \u202e"));
        QCOMPARE(written["assignments"][0]["backend"].toString(), QStringLiteral("ccompiler"));
        QCOMPARE(written["bookmarks"][0]["note"]["by"][1].toInt(), 2);
        QCOMPARE(written["backends"][0]["colour"].toString(), QStringLiteral("teal"));
        QCOMPARE(written["runs"][0]["cooled_by"][0].toString(), QStringLiteral("air"));
        QCOMPARE(written["runs"][0]["regions"][0]["joules"].toInt(), 3);
        QCOMPARE(written["runs"][1]["title"].toString(), QStringLiteral("now"));
        QVERIFY2(!text_of(project).contains("\u202e"), "a control of the direction stands as an escape");
    }

    void versionOneIsTakenAndNewerOnesAreRefused() {
        const char* form = R"({"format": "partita", "version": %d, "module": "a.relay", "flow": {"merge": true}})";
        Result<Project> old = read_project(QString::asprintf(form, 1).toStdString(), "/x/a.partita");
        QVERIFY(old);
        QVERIFY(old->choice.merge);
        QCOMPARE(old->module_path, std::string("/x/a.relay"));
        QVERIFY(write_project(*old, "/x/a.partita").find("\"version\": 2") != std::string::npos);
        Result<Project> newer =
            read_project(QString::asprintf(form, kProjectVersion + 1).toStdString(), "/x/a.partita");
        QVERIFY(!newer);
        QVERIFY(newer.error().message.find("newer version") != std::string::npos);
    }

    void digestsStayWhatProjectsHold() {
        // Larger than the pieces in which a file is read, and no multiple of a word.
        std::string content;
        for (int i = 0; i < 700003; ++i) content += char(i * 31 % 251);
        QTemporaryDir folder;
        const std::string file = folder.filePath("content").toStdString();
        QVERIFY(write_file(file, content));
        QCOMPARE(digest_of_file(file), std::string("5f6a2103fe78745dd9e96203d75ec38c"));
        QCOMPARE(digest_of_file(file + ".none"), std::string());
    }

    void aModuleThatChangedSinceIsNoticed() {
        QTemporaryDir folder;
        const QString module = module_in(folder.path()), project = folder.filePath("work.partita");
        auto opened = open(module);
        QVERIFY(opened);
        opened->document.saveProject(project);
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QVERIFY(open(project)->document.problems().empty());
        QVERIFY(write_file(module.toStdString(), "// changed\n" + std::string(kModule)));
        auto again = open(project);
        QVERIFY(again);
        QVERIFY(!again->document.problems().empty());
        QVERIFY(again->document.problems().front().text.contains("has changed"));
        // What was read again is what the project is of then; not what it was before, when that is undone.
        opened->document.reload();
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        opened->document.saveProject(project);
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QVERIFY(open(project)->document.problems().empty());
        opened->document.undoStack().undo();
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        opened->document.saveProject(project);
        QVERIFY(opened->jobs.waitUntilIdle(60000));
        QVERIFY(!open(project)->document.problems().empty());
    }

    /// A session's manager asks to keep what is open, and then ends the program by a signal.
    void whatIsKeptForTheNextStartIsKeptIfTheEndIsToldTwice() {
        QTemporaryDir folder;
        const QString module = module_in(folder.path());
        {
            const auto opened = open(module);
            QVERIFY(opened);
            Document& document = opened->document;
            document.changeChoice(numbered(document.choice(), *document.module(), 3), QStringLiteral("change"));
            QVERIFY(document.isUnsaved());
            document.keepForNextStart();
            document.keepForNextStart();
        }
        {
            Opened next;
            QVERIFY(next.document.goOnWithKept());
            QVERIFY(next.jobs.waitUntilIdle(60000));
            QVERIFY(next.document.isOpen() && next.document.isUnsaved());
            // The session goes on after all, and nothing is to be kept at its end.
            next.document.keepForNextStart();
            next.document.forgetAutosave();
        }
        QVERIFY(!Opened().document.goOnWithKept());
    }

    void annotationsWithoutASectionAreReadAgainAsTheyWereOpened() {
        const auto annotated = [](const char* op) {
            return QString(
                       "def @main(%x: Tensor[(10, 10), float32]) {\n"
                       "  %0 = annotation.compiler_begin(%x, meta[relay.attrs.CompilerAttrs][0]);\n"
                       "  %1 = %op(%0);\n"
                       "  annotation.compiler_end(%1, meta[relay.attrs.CompilerAttrs][0])\n}\n")
                .replace("%op", op)
                .toStdString();
        };
        QTemporaryDir folder;
        const QString module = folder.filePath("module.relay");
        QVERIFY(write_file(module.toStdString(), annotated("exp")));
        Opened opened;
        std::vector<Diagnostic> faults;
        opened.document.setBackends(load_backends({"ccompiler"}, faults));
        opened.document.open(module);
        QVERIFY(opened.jobs.waitUntilIdle(60000));
        QVERIFY(opened.document.isOpen());
        QSignalSpy refused(&opened.document, &Document::editRefused);
        QVERIFY(write_file(module.toStdString(), annotated("tanh")));
        opened.document.reload();
        QVERIFY(opened.jobs.waitUntilIdle(60000));
        QVERIFY2(refused.isEmpty(), refused.isEmpty() ? "" : qPrintable(refused.first().first().toString()));
        QVERIFY(print_relay(*opened.document.shownModule()).find("tanh") != std::string::npos);
    }

    void aProjectMovedWithItsModuleOpens() {
        QTemporaryDir folder;
        QDir(folder.path()).mkpath("a");
        QDir(folder.path()).mkpath("b");
        module_in(folder.filePath("b"));
        QVERIFY(write_file(folder.filePath("b/work.partita").toStdString(),
                           R"({"format": "partita", "version": 2, "module": "/somebody/else/module.relay"})"));
        auto opened = open(folder.filePath("b/work.partita"));
        QVERIFY(opened);
        QCOMPARE(opened->document.path(), folder.filePath("b/module.relay"));
    }

    void repeatedBackendsAreTakenOnceAndTooManyAreRefused() {
        QTemporaryDir folder;
        const QString module = module_in(folder.path());
        const auto project = [&](int count) {
            std::string names = "\"dnnl\"";
            for (int i = 1; i < count; ++i) names += ", \"dnnl\"";
            const QString path = folder.filePath("many.partita");
            if (!write_file(
                    path.toStdString(),
                    R"({"format": "partita", "version": 2, "module": "module.relay", "backends": [)" + names + "]}"))
                qFatal("can't write");
            return path;
        };
        auto opened = open(project(900));
        QVERIFY(opened);
        QCOMPARE(opened->document.choice().backends.size(), size_t(1));
        QCOMPARE(opened->document.problems().size(), size_t(1));
        QVERIFY2(opened->document.problems()[0].text.contains("the backend dnnl more than once"),
                 qPrintable(opened->document.problems()[0].text));
        // Two files may describe backends of one name.
        for (const char* file : {"one.json", "two.json"})
            QVERIFY(write_file(folder.filePath(file).toStdString(), R"({"name": "npu", "ops": {"add": true}})"));
        QVERIFY(write_file(folder.filePath("two.partita").toStdString(),
                           R"({"format": "partita", "version": 2, "module": "module.relay",
                               "backends": ["./one.json", "./two.json"]})"));
        opened = open(folder.filePath("two.partita"));
        QVERIFY(opened);
        QCOMPARE(opened->document.choice().backends.size(), size_t(1));
        QVERIFY(opened->document.problems()[0].text.contains("the backend npu more than once"));
        Result<Project> many = read_project(text_of(project(10000)).toStdString(), "/x/a.partita");
        QVERIFY(!many);
        QVERIFY2(many.error().message.find("10000 backends") != std::string::npos, many.error().message.c_str());
    }

    void deepDocumentsAreRefused() {
        std::string deep = R"({"format": "partita", "version": 2, "module": "a.relay", "x": )" +
                           std::string(1000000, '[') + std::string(1000000, ']') + "}";
        Result<Project> project = read_project(deep, "/x/a.partita");
        QVERIFY(!project);
        QVERIFY(project.error().message.find("nest too deep") != std::string::npos);
    }
};

int run(int argc, char** argv) {
    QGuiApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("PartitaTest"));
    QCoreApplication::setApplicationName(QStringLiteral("NeverLoseWork"));
    use_own_home();
    if (argc == 3 && std::string_view(argv[1]) == "--child") return run_child(QString::fromLocal8Bit(argv[2]));
    TestNeverLoseWork test;
    return QTest::qExec(&test, argc, argv);
}

PARTITA_TEST_MAIN(run)

}  // namespace test_never_lose_work

#include "test_never_lose_work.moc"
