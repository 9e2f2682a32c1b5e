#include "app/cli/waiting.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "app/cli/terminal.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{2}, kBetween{1};
constexpr size_t kWidth = 78;  // a line that wraps can't be taken away

std::mutex& line_mutex() {
    static auto* const mutex = new std::mutex;  // stays: output is written until the very end
    return *mutex;
}

}  // namespace

struct Waiting::Line {
    explicit Line(std::string of) : command(std::move(of)) {}

    const std::string command;
    const Clock::time_point start = Clock::now();
    std::string what;
    bool shown = false, over = false;
    std::condition_variable ended;
    std::thread thread;

    static Line*& current() {
        static Line* line = nullptr;
        return line;
    }
    static void write(const std::string& text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

    void erase() {
        if (std::exchange(shown, false)) write("\r\x1b[K");
    }
    void draw() {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start).count();
        std::string text = command + (what.empty() ? "" : ": " + what) + ", " + std::to_string(seconds) + " s";
        text = printable(text);
        if (text.size() > kWidth) text = text.substr(0, kWidth - 3) + "...";
        write("\r\x1b[K" + text);
        shown = true;
    }
    void keep_drawing() {
        std::unique_lock lock(line_mutex());
        auto pause = kPatience;
        while (!ended.wait_for(lock, std::exchange(pause, kBetween), [this] { return over; })) draw();
    }
};

Waiting::Waiting(std::string command) {
    if (!::isatty(STDERR_FILENO)) return;
    line_ = std::make_unique<Line>(std::move(command));
    Line::current() = line_.get();
    line_->thread = std::thread([line = line_.get()] { line->keep_drawing(); });
}

Waiting::~Waiting() {
    if (!line_) return;
    {
        const std::lock_guard lock(line_mutex());
        line_->erase();
        line_->over = true;
        Line::current() = nullptr;
    }
    line_->ended.notify_all();
    line_->thread.join();
}

void Waiting::tell(const std::string& what, double fraction) {
    const std::lock_guard lock(line_mutex());
    if (Line* line = Line::current())
        line->what = what + (fraction < 0 ? "" : " " + fixed_text(100 * fraction, 0) + " %");
}

void Waiting::clear() {
    const std::lock_guard lock(line_mutex());
    if (Line* line = Line::current()) line->erase();
}

}  // namespace partita::cli
