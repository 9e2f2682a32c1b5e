// The inspector: what is selected, its attributes and types, and why it goes where it goes.
#pragma once

#include <optional>

#include <QTextBrowser>
#include <QTimer>
#include <QWidget>

#include "app/gui/document/flow_explanations.h"
#include "app/gui/panels/inspector/inspector_costs.h"
#include "app/gui/panels/inspector/inspector_edge.h"
#include "app/gui/panels/inspector/inspector_why.h"
#include "app/gui/style/theme.h"
#include "engine/explain/provenance.h"
#include "engine/flow/names.h"

namespace partita {

class ConstantValues;
class InspectorStages;

class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QTextBrowser& text() { return *text_; }
    /// What was measured of the open module; null: nothing, or no longer.
    void setPlaced(PlacedModulePtr placed);
    /// Tells backends only.
    void setRegionsHidden(bool hidden);
    /// Tells of an edge in place of the selection; null: of the selection again.
    void showEdge(const std::optional<ShownEdge>& edge);
    /// Says of the group that is selected what it is and in what its blocks differ, until the selection changes.
    void showGroup(const QString& title, const QString& difference);

signals:
    /// Something for the status bar.
    void told(const QString& sentence);
    void regionSelected(int region);
    /// The way that forbids a merge is to be seen on the canvas.
    void pathShown(const std::vector<ExprId>& path);
    /// The text of a rule is to be seen ("ops.add", or a pattern's name).
    void ruleWanted(int backend, const QString& rule);
    /// A line of a backend's file in Python is to be seen.
    void lineWanted(int backend, int line);
    /// Another backend for an operator of the placed module, and for those that then belong elsewhere.
    void moveWanted(uint32_t op, uint16_t to, bool with_others);
    /// What is selected is to be seen in the text of a stage.
    void stageWanted(const QString& stage);
    /// A sub-function is to be opened.
    void functionWanted(const QString& name);
    /// A rule for an operator that the backend has none for.
    void newRuleWanted(int backend, const QString& op);

private:
    void refresh();
    void follow(const QUrl& link);
    /// Asks why the one selected expression goes where it goes.
    void askWhy();
    /// Asks what other backends for it would cost, if the module was placed by time.
    void askCosts();
    void forgetCosts();
    void write(WhyText why);

    Document& document_;
    Theme theme_;
    QTextBrowser* text_;
    ConstantValues* values_;
    InspectorStages* stages_;
    std::optional<ShownEdge> edge_;
    QString group_;  ///< what is said of the selected group
    FlowQuestions questions_;
    PlacedModulePtr placed_;
    QString costs_;  ///< of the selected operator
    WhyText why_;
    quint64 costs_job_ = 0;
    std::vector<std::vector<ExprId>> paths_;  ///< of the text's links
    bool regions_hidden_ = false;
    QTimer later_;  ///< several changes in one turn of the loop are written once
};

}  // namespace partita
