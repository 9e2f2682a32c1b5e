// partita: the window. With --screenshot it makes a picture of itself and leaves, for documents and tests.
#include <csignal>
#include <cstdio>
#include <optional>

#include <QAbstractButton>
#include <QApplication>
#include <QCommandLineParser>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QMenuBar>
#include <QPixmap>
#include <QRegularExpression>
#include <QTextStream>
#include <QTimer>
#include <QUrl>

#include "app/gui/document/autosave.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/code_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/icons.h"
#include "app/gui/style/language.h"
#include "app/gui/window/end_signals.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/model_tabs.h"
#include "engine/support/large_memory.h"
#include "engine/support/program_files.h"

namespace {

using partita::MainWindow;

/// What the arguments ask for.
struct StartRequest {
    QStringList files;
    QStringList backends;
    std::optional<partita::ThemeChoice> theme;
    QSize size;
    QStringList commands;  ///< names of actions, in order
    QString panel;
    QString select;
    QString picture;
    bool quit = false;
    bool time = false;

    /// Nobody sits in front of it.
    bool isUnattended() const { return time || quit || !picture.isEmpty() || !commands.isEmpty(); }
};

QCommandLineOption option(const char* name, const char* help, const char* value = "") {
    return QCommandLineOption(QString::fromLatin1(name), QApplication::translate("main", help),
                              QString::fromLatin1(value));
}

void complain(const QString& message) {
    QTextStream(stderr) << QStringLiteral("partita: ") << partita::shown_name(message) << '\n';
}

[[noreturn]] void refuse_argument(const QString& name, const QString& value, const QString& wanted) {
    complain(QApplication::translate("main", "--%1 '%2': expected %3").arg(name, value, wanted));
    std::exit(2);
}

/// Ends the program where an argument is wrong.
StartRequest read_arguments(const QApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QApplication::translate("main", "See and change how a neural network is divided among compilers."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("FILE"),
        QApplication::translate("main",
                                "Relay text, ONNX or a project to open, or a link (partita:...); two are compared"),
        QStringLiteral("[FILE...]"));
    const QCommandLineOption backends =
        option("backends", "Backends in order of priority: names or description files, with commas between", "LIST");
    const QCommandLineOption theme = option("theme", "light or dark, for this start", "THEME");
    const QCommandLineOption size = option("size", "Size of the window, for example 1600x1000", "WxH");
    const QCommandLineOption commands =
        option("do", "Commands to run after opening, with commas between: annotate,merge,partition,run,fit", "NAMES");
    const QCommandLineOption panel = option("panel", "The panel to show, for example coverage, or why", "NAME");
    const QCommandLineOption select =
        option("select", "The operators to go to: #12, op:nn.conv2d, name:PATTERN", "SEL");
    const QCommandLineOption picture = option("screenshot", "Write a picture of the window", "OUT.png");
    const QCommandLineOption quit = option("quit", "Leave after the commands and the picture");
    const QCommandLineOption time =
        option("time-first-picture",
               "Print how long it took from the start until FILE was on the screen, and the memory used; then leave");
    parser.addOptions({backends, theme, size, commands, panel, select, picture, quit, time});
    parser.process(application);

    StartRequest request;
    for (const QString& file : parser.positionalArguments())  // desktops give URLs
        request.files << (file.startsWith(QLatin1String("file://")) ? QUrl(file).toLocalFile() : file);
    request.backends = parser.value(backends).split(QLatin1Char(','), Qt::SkipEmptyParts);
    request.commands = parser.value(commands).split(QLatin1Char(','), Qt::SkipEmptyParts);
    request.panel = parser.value(panel);
    request.select = parser.value(select);
    request.picture = parser.value(picture);
    request.quit = parser.isSet(quit);
    request.time = parser.isSet(time);
    if (const QString name = parser.value(theme); parser.isSet(theme)) {
        if (name != QLatin1String("light") && name != QLatin1String("dark"))
            refuse_argument(QStringLiteral("theme"), name, QStringLiteral("light, dark"));
        request.theme = name == QLatin1String("dark") ? partita::ThemeChoice::Dark : partita::ThemeChoice::Light;
    }
    if (parser.isSet(size)) {
        const QRegularExpressionMatch match =
            QRegularExpression(QStringLiteral("^([1-9][0-9]{1,3})x([1-9][0-9]{1,3})$")).match(parser.value(size));
        if (!match.hasMatch()) refuse_argument(QStringLiteral("size"), parser.value(size), QStringLiteral("1600x1000"));
        request.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    }
    if (request.time && request.files.isEmpty()) {
        complain(QApplication::translate("main", "--time-first-picture needs a FILE"));
        std::exit(2);
    }
    return request;
}

/// A link, or files, of which the first is gone into.
void open_what_is_asked(MainWindow& window, const StartRequest& request) {
    std::optional<partita::PlaceLink> link;
    if (request.files.size() == 1) link = partita::read_place_link(request.files.first().toStdString());
    if (link) return window.opening().openLink(*link);
    partita::PlaceLink place;
    place.select = request.select.toStdString();
    if (!request.select.isEmpty()) place.panel = request.panel.toStdString();
    window.opening().openFiles(request.files, place);
}

/// The window as it looks; what its commands, panels and columns are called stands in the file under "Names", a name a
/// line, so that a test can tell pictures that show what is called otherwise now.
QImage picture_with_names(MainWindow& window) {
    QStringList names;
    for (const QAction* action : window.menuBar()->actions()) names << action->text();
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
        if (dock->isVisible()) names << dock->windowTitle();
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
        if (button->isVisible()) names << button->text();
    for (const QHeaderView* header : window.findChildren<QHeaderView*>())
        for (int i = 0; header->isVisible() && header->model() && i < header->count(); ++i)
            names << header->model()->headerData(i, header->orientation()).toString();
    names.removeAll(QString());
    names.removeDuplicates();
    QImage image = window.grab().toImage();
    image.setText(QStringLiteral("Names"), names.join(QLatin1Char('\n')));
    return image;
}

/// Runs the commands one after the other, waits for each, takes the picture.
int take_picture(MainWindow& window, const StartRequest& request) {
    constexpr int kLongestWait = 120000;
    window.waitUntilSettled(kLongestWait);
    if (!request.files.isEmpty() && !window.document().isOpen()) return 1;
    for (const QString& name : request.commands) {
        QAction* action = window.action(name);
        if (!action || !action->isEnabled()) {
            complain(QApplication::translate("main", "no such command now: %1").arg(name));
            return 1;
        }
        action->trigger();
        window.waitUntilSettled(kLongestWait);
    }
    if (!request.panel.isEmpty()) window.panels().show(window.panels().named(request.panel));
    window.waitUntilSettled(kLongestWait);
    if (!request.picture.isEmpty() && !picture_with_names(window).save(request.picture)) {
        complain(QApplication::translate("main", "can't write %1").arg(request.picture));
        return 1;
    }
    return 0;
}

long resident_kilobytes() {
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("VmRSS:")) return line.mid(6).simplified().split(' ').first().toLong();
    return 0;
}

/// Without a display Qt would end the program with a core dump. What only prints needs none.
bool can_show(int argc, char** argv) {
    const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                         qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    bool prints = false;
    for (int i = 1; i < argc; ++i) {
        const QByteArrayView argument(argv[i]);
        if (argument == "-platform" || argument == "--platform") return true;
        prints = prints || argument == "-h" || argument == "--help" || argument == "--help-all" || argument == "-v" ||
                 argument == "--version";
    }
    if (!display && prints) qputenv("QT_QPA_PLATFORM", "offscreen");
    return display || prints;
}

/// Waits for the graph, then for the frame that shows it.
void leave_at_first_picture(MainWindow& window, const QElapsedTimer& start) {
    auto* timer = new QTimer(&window);
    QObject::connect(timer, &QTimer::timeout, &window, [&window, timer, start] {
        if (!window.currentPage() || !window.currentPage()->view().hasGraph()) return;
        timer->stop();
        window.currentPage()->view().repaint();
        QTextStream(stdout) << QStringLiteral("first picture after %1 ms, %2 MB\n")
                                   .arg(start.elapsed())
                                   .arg(double(resident_kilobytes()) * 1024 / 1e6, 0, 'f', 0);
        QApplication::exit(0);
    });
    timer->start(1);
}

}  // namespace

int main(int argc, char** argv) {
    // A file that would grow beyond the limit is a failed write with a message, not the end.
    std::signal(SIGXFSZ, SIG_IGN);
    QElapsedTimer start;
    start.start();
    partita::keep_freed_memory();
    partita::use_fonts_of_program();
    if (!can_show(argc, argv)) {
        std::fputs(
            "partita: there is no display (DISPLAY and WAYLAND_DISPLAY are not set).\n"
            "partita-cli does the same without one; for a picture of the window set QT_QPA_PLATFORM=offscreen and use "
            "--screenshot.\n",
            stderr);
        return 1;
    }
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("Partita"));
    QApplication::setApplicationName(QStringLiteral("Partita"));
    QApplication::setApplicationVersion(QStringLiteral(PARTITA_VERSION));
    partita::load_resources();
    const QString wanted = qEnvironmentVariable("PARTITA_LANGUAGE");
    partita::load_language(application, wanted.isEmpty() ? partita::Settings::load().language : wanted);
    QApplication::setWindowIcon(partita::application_icon());

    const StartRequest request = read_arguments(application);
    partita::ModelTabs tabs;
    MainWindow& window = tabs.current();
    if (!request.panel.isEmpty() && !window.panels().named(request.panel))
        refuse_argument(QStringLiteral("panel"), request.panel, window.panels().names().join(QStringLiteral(", ")));
    if (request.theme) {
        partita::Settings settings = window.settings();
        settings.theme_of_this_start = request.theme;
        window.applySettings(settings, false);
    }
    if (!request.backends.isEmpty()) window.setBackends(request.backends);
    if (request.size.isValid()) tabs.startWithSize(request.size);
    // The file is read while the window comes up, unless somebody is asked about other work first.
    const bool asks_first = !request.isUnattended() && partita::Autosave::holdsWork();
    if (!asks_first) open_what_is_asked(window, request);
    tabs.show();
    if (request.isUnattended()) {
        // Nobody reads the dialog that tells of it. Queued: nothing can be left before the events are handled.
        QObject::connect(
            &window.document(), &partita::Document::openFailed, &window,
            [time = request.time](const QString&, const QString& message) {
                complain(message);
                if (time) QApplication::exit(1);
            },
            Qt::QueuedConnection);
    }
    std::optional<partita::EndSignals> end_signals;
    if (request.quit || request.time) window.leaving().keepNothing();
    else QObject::connect(&end_signals.emplace(), &partita::EndSignals::asked, &tabs, &partita::ModelTabs::end);
    if (asks_first) {
        const bool recovering = window.opening().offerRecovery(request.files.value(0));
        if (window.leaving().isEnding()) return 0;
        if (!recovering) open_what_is_asked(window, request);
    }
    if (request.time) {
        leave_at_first_picture(window, start);
    } else if (request.isUnattended()) {
        QTimer::singleShot(0, &window, [&window, request] {
            const int status = take_picture(window, request);
            if (request.quit) QApplication::exit(status);
        });
    }
    return QApplication::exec();
}
