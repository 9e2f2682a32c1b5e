// partita: the window. With --screenshot it makes a picture of itself and leaves, for documents and tests.
#include <csignal>
#include <cstdio>

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFile>
#include <QPixmap>
#include <QTextStream>
#include <QTimer>

#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/icons.h"
#include "app/gui/style/language.h"
#include "app/gui/window/main_window.h"
#include "engine/support/large_memory.h"

namespace {

using partita::MainWindow;

struct PictureRequest {
    QString path;
    QStringList commands;  ///< names of actions, in order
    QString panel;
    bool quit = false;
};

QCommandLineOption option(const char* name, const char* help, const char* value = "") {
    return QCommandLineOption(QString::fromLatin1(name), QApplication::translate("main", help), QString::fromLatin1(value));
}

void show_named_panel(MainWindow& window, const QString& name) {
    if (name == QLatin1String("timing")) window.showPanel(&window.timing());
    if (name == QLatin1String("text")) window.showPanel(&window.text());
    if (name == QLatin1String("rules")) window.showPanel(&window.rules());
    if (name == QLatin1String("coverage")) window.showPanel(&window.coverage());
    if (name == QLatin1String("steps")) window.showPanel(&window.steps());
}

/// Runs the commands one after the other, waits for each, takes the picture.
int take_picture(MainWindow& window, const PictureRequest& request) {
    constexpr int kLongestWait = 120000;
    QTextStream err(stderr);
    window.waitUntilSettled(kLongestWait);
    for (const QString& name : request.commands) {
        QAction* action = window.action(name);
        if (!action || !action->isEnabled()) {
            err << QApplication::translate("main", "partita: no such command now: %1").arg(name) << '\n';
            return 1;
        }
        action->trigger();
        window.waitUntilSettled(kLongestWait);
    }
    show_named_panel(window, request.panel);
    window.waitUntilSettled(kLongestWait);
    if (!request.path.isEmpty() && !window.grab().save(request.path)) {
        err << QApplication::translate("main", "partita: can't write %1").arg(request.path) << '\n';
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
    const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") || qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    bool prints = false;
    for (int i = 1; i < argc; ++i) {
        const QByteArrayView argument(argv[i]);
        if (argument == "-platform" || argument == "--platform") return true;
        prints = prints || argument == "-h" || argument == "--help" || argument == "--help-all" || argument == "-v" || argument == "--version";
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
        QTextStream(stdout) << QStringLiteral("first picture after %1 ms, %2 MB\n").arg(start.elapsed()).arg(double(resident_kilobytes()) / 1024, 0, 'f', 0);
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
    if (!can_show(argc, argv)) {
        std::fputs("partita: there is no display (DISPLAY and WAYLAND_DISPLAY are not set).\n"
                   "partita-cli does the same without one; for a picture of the window set QT_QPA_PLATFORM=offscreen and use --screenshot.\n", stderr);
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

    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("main", "See and change how a neural network is divided among compilers."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("FILE"), QApplication::translate("main", "Relay text or ONNX to open"), QStringLiteral("[FILE]"));
    const QCommandLineOption backends = option("backends", "Backends in order of priority: names or description files, with commas between", "LIST");
    const QCommandLineOption theme = option("theme", "light or dark, for this start", "THEME");
    const QCommandLineOption size = option("size", "Size of the window, for example 1600x1000", "WxH");
    const QCommandLineOption commands = option("do", "Commands to run after opening, with commas between: annotate,merge,partition,run,fit", "NAMES");
    const QCommandLineOption panel = option("panel", "The panel to show: steps, timing, text, rules, coverage", "NAME");
    const QCommandLineOption screenshot = option("screenshot", "Write a picture of the window", "OUT.png");
    const QCommandLineOption quit = option("quit", "Leave after the commands and the picture");
    const QCommandLineOption time = option("time-first-picture", "Print how long it took from the start until FILE was on the screen, and the memory used; then leave");
    parser.addOptions({backends, theme, size, commands, panel, screenshot, quit, time});
    parser.process(application);

    MainWindow window;
    partita::Settings settings = window.settings();
    if (parser.value(theme) == QLatin1String("dark")) settings.theme_of_this_start = partita::ThemeChoice::Dark;
    if (parser.value(theme) == QLatin1String("light")) settings.theme_of_this_start = partita::ThemeChoice::Light;
    if (parser.isSet(theme)) window.applySettings(settings, false);
    if (parser.isSet(backends)) window.setBackends(parser.value(backends).split(QLatin1Char(','), Qt::SkipEmptyParts));
    const QStringList extent = parser.value(size).split(QLatin1Char('x'));
    if (extent.size() == 2) window.resize(extent[0].toInt(), extent[1].toInt());
    window.show();
    const bool alone = parser.isSet(time) || parser.isSet(screenshot) || parser.isSet(commands) || parser.isSet(quit);
    const QString file = parser.positionalArguments().value(0);
    const bool recovering = !alone && window.offerRecovery(file);
    if (!recovering && !file.isEmpty()) window.openFile(file);
    if (parser.isSet(time)) {
        leave_at_first_picture(window, start);
    } else if (alone) {
        const PictureRequest request{parser.value(screenshot), parser.value(commands).split(QLatin1Char(','), Qt::SkipEmptyParts),
                                     parser.value(panel), parser.isSet(quit)};
        QTimer::singleShot(0, &window, [&window, request] {
            const int status = take_picture(window, request);
            if (request.quit) QApplication::exit(status);
        });
    }
    return QApplication::exec();
}
