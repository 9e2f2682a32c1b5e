// Numbers: figures of operators from files, as a table by operators, regions or blocks, and as heat on the graph.
#pragma once

#include <QWidget>

#include "app/gui/document/document.h"
#include "engine/session/numbers.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QStackedLayout;
class QTreeWidget;

namespace partita {

class NumbersPanel : public QWidget {
    Q_OBJECT

public:
    explicit NumbersPanel(Document& document, QWidget* parent = nullptr);
    /// Reads files in addition to those that are shown.
    void add(const QStringList& files);
    QTreeWidget& table() { return *table_; }
    QComboBox& grouping() { return *grouping_; }
    QCheckBox& heatSwitch() { return *heat_; }

    /// Other heat is shown now.
    void endHeat();

signals:
    /// By expression of the shown module, from 0 to 1, negative where there is no number; null: no heat.
    void heatWanted(const std::shared_ptr<const std::vector<float>>& heat);
    void told(const QString& sentence);
    void failed(const QString& message);

private:
    enum class Rows { Operators, Regions, Blocks };
    struct Row {
        QString name;
        std::vector<double> values;  ///< by column; NaN where there is none
        std::vector<ExprId> calls;
    };

    /// `kept`: how many of the files stay where reading fails.
    void read(qsizetype kept);
    void forget();
    void show(ModuleNumbers numbers);
    void fill();
    void giveHeat();
    std::vector<Row> rows() const;
    std::vector<Row> rowsOfOperators() const;
    std::vector<Row> rowsOfRegions() const;
    std::vector<Row> rowsOfBlocks() const;
    Row sumOf(const QString& name, const std::vector<uint32_t>& nodes) const;

    Document& document_;
    QStringList files_;
    ModuleNumbers numbers_;
    std::vector<Row> rows_;  ///< in the table's order before sorting
    QStackedLayout* stack_;
    QComboBox* grouping_;
    QComboBox* column_;  ///< that the heat is of
    QCheckBox* heat_;
    QLabel* summary_;
    QTreeWidget* table_;
};

}  // namespace partita
