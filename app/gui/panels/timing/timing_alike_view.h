// The times of a run by regions that are alike: what the same region of all layers takes together, and how far apart
// they are.
#pragma once

#include <QTreeWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"

namespace partita {

/// Regions of one class in a run.
struct AlikeTimes {
    std::string operators, backend, executed_by;
    std::vector<int> regions;  ///< indices into the report
    double sum = 0;            ///< of the regions' medians; all times are in milliseconds
    Timing each;               ///< of these medians: the spread is that between the regions
    double longest = 0;
};
/// Returns the classes, the longest sum first; what stayed on default is one of its own. For a worker.
std::vector<AlikeTimes> alike_times(const FlowResult& flow, const RunReport& report);
QString csv_of(const std::vector<AlikeTimes>& classes);

class TimingAlikeView : public QTreeWidget {
    Q_OBJECT

public:
    explicit TimingAlikeView(Document& document);
    void setTheme(const Theme& theme);
    void setClasses(std::vector<AlikeTimes> classes);
    const std::vector<AlikeTimes>& classes() const { return classes_; }

signals:
    /// Indices into the report.
    void chosen(const std::vector<int>& regions);

private:
    void fill();

    Document& document_;
    Theme theme_;
    std::vector<AlikeTimes> classes_;
};

}  // namespace partita
