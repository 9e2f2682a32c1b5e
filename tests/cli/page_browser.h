// Browsers that open a page and are driven from outside by real events: Chromium through the pipe of its DevTools
// protocol (fingers), Firefox through Marionette (mouse, wheel and keys). Both are optional.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>

namespace partita::testing {

/// Reads what has come within a time; nothing at its end.
inline QByteArray read_some(int file, int milliseconds) {
    pollfd waiting{file, POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) return {};
    QByteArray some(65536, 0);
    const ssize_t count = ::read(file, some.data(), size_t(some.size()));
    return some.left(count < 0 ? 0 : count);
}

inline bool write_all(int file, const QByteArray& bytes) {
    for (qsizetype done = 0; done < bytes.size();) {
        const ssize_t count = ::write(file, bytes.constData() + done, size_t(bytes.size() - done));
        if (count <= 0) return false;
        done += count;
    }
    return true;
}

class DrivenBrowser {
public:
    virtual ~DrivenBrowser() {
        process_.kill();
        process_.waitForFinished(10000);
    }
    virtual bool open(const QString& address) = 0;
    /// The value of an expression.
    virtual QJsonValue value(const QString& script) = 0;

    QString text(const QString& selector) {
        return value(QStringLiteral("document.querySelector(\"%1\").textContent").arg(selector)).toString();
    }
    int shown() { return value(QStringLiteral("document.documentElement.dataset.shown")).toString().toInt(); }
    QString view() {
        return value(QStringLiteral("document.getElementById('world').getAttribute('transform')")).toString();
    }
    /// The middle of the node whose text begins so, in the window.
    QPoint place(const QString& beginning) {
        const QJsonArray at = value(QStringLiteral("(() => { const g = [...document.querySelectorAll('g.node')]"
                                                   ".find(g => g.textContent.startsWith('%1'));"
                                                   "const r = g.querySelector('.box').getBoundingClientRect();"
                                                   "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
                                        .arg(beginning))
                                  .toArray();
        return at.size() == 2 ? QPoint(int(at[0].toDouble()), int(at[1].toDouble())) : QPoint(-1, -1);
    }

protected:
    static constexpr int kLongest = 60000;

    bool wait_until_ready() {
        QElapsedTimer clock;
        for (clock.start(); clock.elapsed() < kLongest; QThread::msleep(50))
            if (value(QStringLiteral("document.documentElement && document.documentElement.dataset.ready"))
                    .toString() == QLatin1String("1"))
                return true;
        return false;
    }

    QTemporaryDir home_;
    QProcess process_;
};

class Chromium : public DrivenBrowser {
public:
    explicit Chromium(const QString& program) {
        int to[2], from[2];
        if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) return;
        process_.setChildProcessModifier([in = to[0], out = from[1]] {
            const int high_in = ::fcntl(in, F_DUPFD, 10), high_out = ::fcntl(out, F_DUPFD, 10);
            ::dup2(high_in, 3);
            ::dup2(high_out, 4);
        });
        process_.setStandardErrorFile(QProcess::nullDevice());
        process_.start(program,
                       {QStringLiteral("--headless"), QStringLiteral("--no-sandbox"), QStringLiteral("--disable-gpu"),
                        QStringLiteral("--disable-dev-shm-usage"), QStringLiteral("--window-size=1280,800"),
                        QStringLiteral("--remote-debugging-pipe"), QStringLiteral("--user-data-dir=") + home_.path()});
        process_.waitForStarted(kLongest);
        ::close(to[0]);
        ::close(from[1]);
        write_ = to[1];
        read_ = from[0];
    }
    ~Chromium() override {
        ::close(write_);
        ::close(read_);
    }

    bool open(const QString& address) override {
        const QString target = call("Target.createTarget", {{"url", "about:blank"}})["targetId"].toString();
        session_ = call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"].toString();
        if (session_.isEmpty()) return false;
        call("Emulation.setTouchEmulationEnabled", {{"enabled", true}, {"maxTouchPoints", 5}});
        call("Page.navigate", {{"url", address}});
        return wait_until_ready();
    }

    QJsonValue value(const QString& script) override {
        const QJsonObject done = call("Runtime.evaluate", {{"expression", script}, {"returnByValue", true}});
        return done["result"].toObject()["value"];
    }

    /// "touchStart", "touchMove", "touchEnd" with the fingers that are on the glass.
    void touch(const char* type, const QVector<QPoint>& fingers) {
        QJsonArray points;
        for (int i = 0; i < fingers.size(); ++i)
            points.append(QJsonObject{{"x", fingers[i].x()}, {"y", fingers[i].y()}, {"id", i}});
        call("Input.dispatchTouchEvent", {{"type", type}, {"touchPoints", points}});
    }
    void tap(const QPoint& place) {
        touch("touchStart", {place});
        touch("touchEnd", {});
    }

private:
    QJsonObject call(const char* method, const QJsonObject& parameters) {
        QJsonObject message{{"id", ++number_}, {"method", method}, {"params", parameters}};
        if (!session_.isEmpty()) message["sessionId"] = session_;
        if (!write_all(write_, QJsonDocument(message).toJson(QJsonDocument::Compact) + '\0')) return {};
        QElapsedTimer clock;
        for (clock.start(); clock.elapsed() < kLongest;) {
            const qsizetype end = come_.indexOf('\0');
            if (end < 0) {
                come_ += read_some(read_, 1000);
                continue;
            }
            const QJsonObject answer = QJsonDocument::fromJson(come_.left(end)).object();
            come_.remove(0, end + 1);
            if (answer["id"].toInt() == number_) return answer["result"].toObject();
        }
        return {};
    }

    int write_ = -1, read_ = -1, number_ = 0;
    QByteArray come_;
    QString session_;
};

class Firefox : public DrivenBrowser {
public:
    explicit Firefox(const QString& program) {
        const int port = free_port();
        QFile preferences(home_.filePath(QStringLiteral("user.js")));
        if (preferences.open(QIODevice::WriteOnly))
            preferences.write("user_pref(\"marionette.port\", " + QByteArray::number(port) + ");\n");
        preferences.close();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), home_.path());
        process_.setProcessEnvironment(environment);
        process_.setStandardOutputFile(QProcess::nullDevice());
        process_.setStandardErrorFile(QProcess::nullDevice());
        process_.start(program, {QStringLiteral("--headless"), QStringLiteral("--marionette"),
                                 QStringLiteral("--no-remote"), QStringLiteral("--profile"), home_.path()});
        process_.waitForStarted(kLongest);
        connect_to(port);
    }
    ~Firefox() override {
        if (socket_ >= 0) ::close(socket_);
    }

    bool open(const QString& address) override {
        if (socket_ < 0 || answer().isNull()) return false;  // its greeting
        call("WebDriver:NewSession", {{"capabilities", QJsonObject{{"alwaysMatch", QJsonObject()}}}});
        call("WebDriver:Navigate", {{"url", address}});
        return wait_until_ready();
    }

    QJsonValue value(const QString& script) override {
        return call("WebDriver:ExecuteScript",
                    {{"script", QString("return " + script)}, {"args", QJsonArray()}})["value"];
    }

    void click(const QPoint& place, int times = 1) {
        QJsonArray actions{move_to(place)};
        for (int i = 0; i < times; ++i) {
            actions.append(QJsonObject{{"type", "pointerDown"}, {"button", 0}});
            actions.append(QJsonObject{{"type", "pointerUp"}, {"button", 0}});
        }
        act(pointer(actions));
    }
    void drag(const QPoint& from, const QPoint& to) {
        act(pointer({move_to(from), QJsonObject{{"type", "pointerDown"}, {"button", 0}}, move_to(to),
                     QJsonObject{{"type", "pointerUp"}, {"button", 0}}}));
    }
    void roll(const QPoint& place, int by) {
        act({{"type", "wheel"},
             {"id", "wheel"},
             {"actions", QJsonArray{QJsonObject{
                             {"type", "scroll"}, {"x", place.x()}, {"y", place.y()}, {"deltaX", 0}, {"deltaY", by}}}}});
    }
    /// Keys as WebDriver writes them: "a", or U+E004 for Tab and the like.
    void press(const QString& keys) {
        QJsonArray actions;
        for (QChar key : keys)
            for (const char* type : {"keyDown", "keyUp"})
                actions.append(QJsonObject{{"type", type}, {"value", QString(key)}});
        act({{"type", "key"}, {"id", "keys"}, {"actions", actions}});
    }

private:
    static int free_port() {
        const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address = local(0);
        socklen_t size = sizeof address;
        ::bind(probe, reinterpret_cast<sockaddr*>(&address), size);
        ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
        ::close(probe);
        return ntohs(address.sin_port);
    }
    static sockaddr_in local(int port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(uint16_t(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }
    void connect_to(int port) {
        QElapsedTimer clock;
        for (clock.start(); clock.elapsed() < kLongest; QThread::msleep(100)) {
            socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
            const sockaddr_in address = local(port);
            if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
            ::close(socket_);
            socket_ = -1;
        }
    }

    static QJsonObject move_to(const QPoint& place) {
        return {{"type", "pointerMove"}, {"duration", 50}, {"x", place.x()}, {"y", place.y()}};
    }
    static QJsonObject pointer(const QJsonArray& actions) {
        return {{"type", "pointer"},
                {"id", "mouse"},
                {"parameters", QJsonObject{{"pointerType", "mouse"}}},
                {"actions", actions}};
    }
    void act(const QJsonObject& actions) { call("WebDriver:PerformActions", {{"actions", QJsonArray{actions}}}); }

    QJsonObject call(const char* command, const QJsonObject& parameters) {
        const QByteArray message =
            QJsonDocument(QJsonArray{0, ++number_, command, parameters}).toJson(QJsonDocument::Compact);
        if (!write_all(socket_, QByteArray::number(message.size()) + ':' + message)) return {};
        const QJsonArray answered = answer().array();
        return answered.size() == 4 ? answered[3].toObject() : QJsonObject();
    }
    /// A message is its length, a colon, and JSON.
    QJsonDocument answer() {
        QElapsedTimer clock;
        for (clock.start(); clock.elapsed() < kLongest; come_ += read_some(socket_, 1000)) {
            const qsizetype colon = come_.indexOf(':');
            const qsizetype length = colon < 0 ? 0 : come_.left(colon).toLongLong();
            if (colon < 0 || come_.size() < colon + 1 + length) continue;
            const QJsonDocument read = QJsonDocument::fromJson(come_.mid(colon + 1, length));
            come_.remove(0, colon + 1 + length);
            return read;
        }
        return {};
    }

    int socket_ = -1, number_ = 0;
    QByteArray come_;
};

}  // namespace partita::testing
