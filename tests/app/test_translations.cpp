// Every text of the window is translated, and fits where it stands.
#include "window_fixture.h"

#include <set>

#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLibraryInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QTranslator>
#include <QXmlStreamReader>

#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/window/welcome_page.h"
#include "engine/ops/registry.h"
#include "tests/registry.h"

namespace test_translations {

using namespace partita;

namespace {

constexpr char kThreeInputs[] = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32], %y: Tensor[(4), float32], %z: Tensor[(4), float32]) {
  %0 = add(%x, %y);
  add(%0, %z)
}
)";

/// How many pixels of a widget are not its ground.
int inkOf(QWidget& widget) {
    const QImage image = widget.grab().toImage();
    int ink = 0;
    for (int y = 2; y < image.height() - 2; ++y)
        for (int x = 2; x < image.width() - 2; ++x) ink += image.pixel(x, y) != image.pixel(2, 2);
    return ink;
}

}  // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void theLineOfEachSampleIsTranslated() {
        QTranslator german;
        QVERIFY(german.load(QStringLiteral(":/translations/partita_de.qm")));
        QCoreApplication::installTranslator(&german);
        const std::vector<Sample> translated = find_samples();
        QCoreApplication::removeTranslator(&german);
        const std::vector<Sample> plain = find_samples();
        QVERIFY(!plain.empty());
        for (size_t i = 0; i < plain.size(); ++i)
            QVERIFY2(translated[i].line != plain[i].line, qPrintable(plain[i].line));
    }

    void whatTheEngineSaysOfOperatorsIsTranslated_data() {
        QTest::addColumn<QString>("language");
        for (const char* language : {"de", "zh_CN"}) QTest::newRow(language) << QString::fromLatin1(language);
    }
    /// A new operator shows its English sentence and is listed here.
    void whatTheEngineSaysOfOperatorsIsTranslated() {
        QFETCH(QString, language);
        QTranslator texts;
        QVERIFY(texts.load(QStringLiteral(":/translations/operators_%1.qm").arg(language)));
        std::set<std::string> all;
        for (const OpRecord& record : op_registry().records()) {
            all.insert(record.summary);
            for (const AttributeField& field : record.attributes) all.insert(field.summary);
        }
        all.erase(std::string());
        QVERIFY(all.size() > 300);
        QStringList missing;
        for (const std::string& summary : all)
            if (texts.translate("Operators", summary.c_str()).isEmpty())
                missing << QStringLiteral("<message><source>%1</source><translation></translation></message>")
                               .arg(QString::fromStdString(summary).toHtmlEscaped());
        QVERIFY2(missing.isEmpty(),
                 qPrintable(QStringLiteral("resources/translations/operators_%1.ts lacks:\n").arg(language) +
                            missing.join(QLatin1Char('\n'))));
    }

    /// What a text in app/gui, or a sentence of the engine, lacks when it is new.
    void allThatIsSaidIsTranslated() {
        QTemporaryDir folder;
        for (const char* language : {"de", "zh_CN", "en"}) {
            const QString name = QStringLiteral("/partita_%1.ts").arg(QLatin1String(language));
            QVERIFY(
                QFile::copy(QStringLiteral(PARTITA_SOURCE_DIR "/resources/translations") + name, folder.path() + name));
            QVERIFY(QFile::setPermissions(folder.path() + name, QFile::ReadOwner | QFile::WriteOwner));
        }
        QProcess update;
        update.start(QStringLiteral(PARTITA_SOURCE_DIR "/resources/translations/update"), {folder.path()});
        QVERIFY(update.waitForFinished(60000));
        const QByteArray faults = update.readAllStandardError();
        if (faults.contains("lupdate: No such file")) QSKIP("lupdate (qt6-l10n-tools) is not installed");
        for (const char* language : {"de", "zh_CN", "en"}) {
            QFile file(folder.filePath(QStringLiteral("partita_%1.ts").arg(QLatin1String(language))));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString texts = QString::fromUtf8(file.readAll());
            QVERIFY2(texts.contains(QStringLiteral("<message")), faults.constData());
            static const QRegularExpression unfinished(
                QStringLiteral("<source>([^<]*)</source>\\s*<translation type=\"unfinished\""));
            QStringList missing;
            for (auto match = unfinished.globalMatch(texts); match.hasNext();) missing << match.next().captured(1);
            QVERIFY2(missing.isEmpty() && !texts.contains(QStringLiteral("unfinished")),
                     qPrintable(QLatin1String(language) + QStringLiteral(": ") + missing.join(QLatin1Char('\n'))));
        }
    }

    void reasonsOfLimitsAreSaidInTheLanguageOfTheWindow() {
        QTranslator german;
        QVERIFY(german.load(QStringLiteral(":/translations/partita_de.qm")));
        QCoreApplication::installTranslator(&german);
        const auto steps_with = [&](const QByteArray& limits) {
            MainWindow& window = *fixture_->window;
            Result<BackendDescription> backend = parse_backend_description(
                R"({"name": "v", "ops": {"add": true}, "limits": )" + limits.toStdString() + "}", "");
            if (!backend) return QString::fromStdString(backend.error().to_string());
            window.document().openText(QString::fromLatin1(kThreeInputs), QStringLiteral("three.relay"),
                                       {std::make_shared<BackendDescription>(*backend)});
            (void)fixture_->settle();
            window.action("whole-flow")->trigger();
            (void)fixture_->settle();
            QStringList sentences;
            for (int row = 0; row < window.panels().steps().rowCount(); ++row) {
                window.panels().steps().goTo(row);
                sentences << window.panels().steps().sentence();
            }
            return sentences.join(QLatin1Char('\n'));
        };
        const QString merging = steps_with(R"({"max_inputs": 2})");
        QVERIFY2(merging.contains(QStringLiteral("zusammen hätten sie 3 Eingänge, höchstens 2 sind erlaubt")),
                 qPrintable(merging));
        const QString placing = steps_with(R"({"min_ops": 9, "min_flops": 1000})");
        QCoreApplication::removeTranslator(&german);
        QVERIFY2(placing.contains(QStringLiteral("seine Region hat 2 Aufrufe (mindestens 9 sind verlangt) und braucht "
                                                 "8 Rechenoperationen (mindestens 1000 sind verlangt)")),
                 qPrintable(placing));
    }

    void whatASampleSaysOfItselfIsWhatIsTranslated() {
        QSet<QString> said, translated;
        for (const QFileInfo& sample :
             QDir(QStringLiteral(PARTITA_SOURCE_DIR "/samples")).entryInfoList({QStringLiteral("*.relay")})) {
            QFile file(sample.filePath());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString first = QString::fromUtf8(file.readLine()).trimmed();
            QVERIFY2(first.startsWith(QStringLiteral("// ")), qPrintable(sample.fileName()));
            said << first.mid(3);
        }
        QFile page(QStringLiteral(PARTITA_SOURCE_DIR "/app/gui/window/welcome_page.cpp"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        static const QRegularExpression marked(
            QStringLiteral("QT_TRANSLATE_NOOP\\(\\s*\"partita::WelcomePage\",\\s*\"(.*?)\"\\)"),
            QRegularExpression::DotMatchesEverythingOption);
        static const QRegularExpression next_line(QStringLiteral("\"\\s*\""));
        for (auto found = marked.globalMatch(QString::fromUtf8(page.readAll())); found.hasNext();)
            translated << found.next().captured(1).remove(next_line);
        QCOMPARE((said - translated).values().join(u'\n') + (translated - said).values().join(u'\n'), QString());
        QVERIFY(said.size() >= 7);
    }

    void noWordOnAButtonOrTabIsCutInLargeGermanType() {
        fixture_.reset();
        QTranslator german;
        QVERIFY(german.load(QLocale(QStringLiteral("de_DE")), QStringLiteral("partita"), QStringLiteral("_"),
                            QStringLiteral(":/translations")));
        QCoreApplication::installTranslator(&german);
        fixture_ = std::make_unique<WindowFixture>();
        MainWindow& window = *fixture_->window;
        Settings settings = window.settings();
        settings.text_scale = 1.75;
        window.applySettings(settings);
        const auto cut = [&window] {
            QStringList words;
            for (QTabBar* tabs : window.findChildren<QTabBar*>()) {
                // Where tabs have no room, the arrows that scroll them have.
                for (QToolButton* arrow : tabs->findChildren<QToolButton*>())
                    if (!arrow->visibleRegion().isEmpty() && inkOf(*arrow) == 0) words << arrow->accessibleName();
            }
            for (QAbstractButton* button : window.findChildren<QAbstractButton*>())
                if (!button->visibleRegion().isEmpty() && !button->text().isEmpty() &&
                    button->width() < button->sizeHint().width())
                    words << button->text();
            for (QComboBox* box : window.findChildren<QComboBox*>()) {
                const bool titles = box->parent() == &window.panels().lessons();  // the panel shows the title beneath
                const int arrow = 36;
                if (!box->visibleRegion().isEmpty() && !titles &&
                    box->width() < box->fontMetrics().horizontalAdvance(box->currentText()) + arrow)
                    words << box->currentText();
            }
            for (QTabBar* tabs : window.panels().timing().findChildren<QTabBar*>()) {
                if (window.width() > 1280 && !window.panels().lessons().isVisible() &&
                    !tabs->visibleRegion().isEmpty() && tabs->sizeHint().width() > tabs->width())
                    words << tabs->tabText(tabs->count() - 1);
            }
            return words.join(QStringLiteral(", "));
        };
        LessonsPanel& lessons = window.panels().lessons();
        for (const QSize& size : {QSize(1360, 860), QSize(1280, 800)}) {
            window.resize(size);
            QVERIFY(fixture_->openOneDivide());
            for (const char* command : {"whole-flow", "run", "compare"}) {
                window.action(QLatin1String(command))->trigger();
                QVERIFY(fixture_->settle());
                QCOMPARE(cut(), QString());
            }
            QVERIFY(window.panels().timing().isVisible());
            QTest::keyClick(&window, Qt::Key_F2);
            QVERIFY(fixture_->settle());
            QCOMPARE(cut(), QString());
            window.panels().show(&window.panels().steps());
            QVERIFY(fixture_->settle());
            QCOMPARE(cut(), QString());
            qobject_cast<QDockWidget*>(lessons.parentWidget())->toggleViewAction()->trigger();
        }
        QTest::keyClick(&window, Qt::Key_F2);
        lessons.start(0);
        for (int page = 0; page < lessons.pageCount(); ++page, lessons.next()) {
            QVERIFY(fixture_->settle());
            QCOMPARE(cut(), QString());
        }
        window.action("predict")->trigger();
        fixture_->click(fixture_->nodeOf("add"));
        window.action("mark-region")->trigger();
        lessons.prediction().compare();
        QVERIFY(fixture_->settle());
        QCOMPARE(cut(), QString());
        window.action("presentation")->trigger();
        window.action("predict")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(lessons.isVisible());
        QCOMPARE(cut(), QString());
        fixture_.reset();
        QCoreApplication::removeTranslator(&german);
    }

    /// Qt's own buttons and dialogs come in the language of the window where Debian's qt6-translations-l10n is there.
    void theWordsOfQtSpeakTheLanguageOfTheWindow() {
        for (const char* language : {"de", "zh_CN"}) {
            QTranslator words;
            QVERIFY2(words.load(QLocale(QLatin1String(language)), QStringLiteral("qtbase"), QStringLiteral("_"),
                                QLibraryInfo::path(QLibraryInfo::TranslationsPath)),
                     language);
            QVERIFY(!words.translate("QPlatformTheme", "Cancel").isEmpty());
        }
    }

    void everyTextIsTranslatedWithItsPlaceholders() {
        static const QRegularExpression place(QStringLiteral("%(L?[0-9]+|n)"));
        const auto places = [](const QString& text) {
            QSet<QString> found;
            for (auto match = place.globalMatch(text); match.hasNext();) found.insert(match.next().captured());
            return found;
        };
        for (const char* language : {"de", "zh_CN", "en"}) {
            QFile file(QStringLiteral(PARTITA_SOURCE_DIR "/resources/translations/partita_%1.ts")
                           .arg(QLatin1String(language)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QXmlStreamReader reader(&file);
            QString source;
            int texts = 0;
            while (!reader.atEnd()) {
                if (reader.readNext() != QXmlStreamReader::StartElement) continue;
                if (reader.name() == QLatin1String("source")) source = reader.readElementText();
                else if (reader.name() == QLatin1String("translation")) {
                    QVERIFY2(!reader.attributes().hasAttribute("type"),
                             qPrintable(QLatin1String(language) + QStringLiteral(" lacks: ") + source));
                    const QString translation =
                        reader.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
                    QVERIFY2(!translation.isEmpty(), qPrintable(source));
                    QVERIFY2(places(translation) == places(source),
                             qPrintable(source + QStringLiteral(": ") + translation));
                    ++texts;
                }
            }
            QVERIFY(!reader.hasError());
            QVERIFY2(texts >= 20, language);
        }
    }

private:
    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestTranslations)

}  // namespace test_translations

#include "test_translations.moc"
