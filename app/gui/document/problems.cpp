#include "app/gui/document/problems.h"

#include <utility>

#include "app/gui/style/foreign_text.h"

namespace partita {

Problem problem_of(const Diagnostic& diagnostic) {
    return {diagnostic.severity, shown_message(diagnostic.message), QString::fromStdString(diagnostic.file),
            diagnostic.position, ExprId()};
}

void Problems::set(Source source, std::vector<Problem> problems) {
    by_source_[source] = std::move(problems);
    join();
}

void Problems::add(Source source, Problem problem) {
    by_source_[source].push_back(std::move(problem));
    join();
}

void Problems::withdraw(const QString& file) {
    if (file.isEmpty()) return;
    std::erase_if(by_source_[Files], [&file](const Problem& problem) { return problem.file == file; });
    join();
}

void Problems::join() {
    all_.clear();
    for (const std::vector<Problem>& problems : by_source_) all_.insert(all_.end(), problems.begin(), problems.end());
}

}  // namespace partita
