// What a long command is doing, for a person who looks at a terminal: one line of standard error, from the third second
// on, written over each second and gone before anything else is written. Nothing is written where standard error is no
// terminal.
#pragma once

#include <memory>
#include <string>

namespace partita::cli {

class Waiting {
public:
    explicit Waiting(std::string command);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    /// What the command is at, from any thread; `fraction` < 0: nobody knows how far.
    static void tell(const std::string& what, double fraction = -1);
    /// Takes the line away.
    static void clear();

private:
    struct Line;
    std::unique_ptr<Line> line_;
};

}  // namespace partita::cli
