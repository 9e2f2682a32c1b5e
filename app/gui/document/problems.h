// What is told of a file, a division or a run: faults and warnings, by where they come from.
#pragma once

#include <array>
#include <vector>

#include <QString>

#include "engine/ir/module.h"
#include "engine/support/diagnostic.h"

namespace partita {

struct RuleFault;  ///< engine/explain/explain.h

struct Problem {
    Severity severity = Severity::Error;
    QString text;
    QString file;
    SourcePosition position;
    ExprId expr;  ///< of the shown module; may be invalid
};

/// Returns what the engine says of a fault, at no expression; names and text of files are made harmless.
Problem problem_of(const Diagnostic& diagnostic);

/// Returns what is said of a rule that failed; `linked`: as rich text, with links "failed" to its calls and "line:7".
QString fault_text(const RuleFault& fault, bool linked);

/// The problems of each source, and all of them in the order of the sources.
class Problems {
public:
    enum Source { Opening, Files, Lessons, Flow, Run };

    const std::vector<Problem>& all() const { return all_; }
    const std::vector<Problem>& of(Source source) const { return by_source_[source]; }
    void set(Source source, std::vector<Problem> problems);
    void add(Source source, Problem problem);
    /// Removes what was told of a file.
    void withdraw(const QString& file);

private:
    void join();

    std::array<std::vector<Problem>, Run + 1> by_source_;
    std::vector<Problem> all_;
};

}  // namespace partita
