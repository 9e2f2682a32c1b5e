// One tab: a function of the document on a canvas, with its breadcrumb, search bar and layout. Follows the document:
// marks change at once, a new layout is made by a job and shown when it is ready.
#pragma once

#include <functional>

#include <QWidget>

#include "app/gui/canvas/alike_blocks.h"
#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/canvas/graph_groups.h"
#include "app/gui/canvas/graph_view.h"

class QPushButton;

namespace partita {

class GroupsNotice;
class QueryLegend;
class LayoutNotice;
class HitList;
class SearchBar;

/// What a page shows. Found anew by its name in each new result.
struct PageTarget {
    enum class Source { Shown, Partitioned };
    Source source = Source::Shown;
    QString function = QStringLiteral("main");
    ExprId literal;  ///< a literal function inside (a composite); valid in `literal_module` only
    ModulePtr literal_module;
    QStringList path;  ///< titles of the pages above it, for the breadcrumb

    QString title() const;
    bool operator==(const PageTarget& other) const {
        return source == other.source && function == other.function && literal == other.literal &&
               literal_module == other.literal_module;
    }
};

struct CanvasOptions {
    Grouping grouping = Grouping::Automatic;
    bool left_to_right = false;
    bool edge_widths = false;  ///< by the bytes that flow
    GraphModelOptions model;
    bool animated = true;
    bool edge_types = false;
    bool minimap = true;
    QStringList query_colours;  ///< queries by colour of Theme::tint; "" for none
};

class GraphPage : public QWidget {
    Q_OBJECT

public:
    GraphPage(Document& document, PageTarget target, QWidget* parent = nullptr);
    ~GraphPage() override;

    const PageTarget& target() const { return target_; }
    GraphView& view() { return *view_; }
    const GraphView& view() const { return *view_; }
    SearchBar& searchBar() { return *search_bar_; }
    HitList& hitList() { return *hit_list_; }
    /// Whether the function still exists in the document.
    bool exists() const { return function().valid(); }
    /// After an edit that gave the shown function another name: shows it by that name. False where no edit did.
    bool followRename();
    /// The expressions of the shown module that are selected here.
    std::vector<ExprId> selectedOrigins() const;
    /// The node of an expression of the shown module, or -1.
    int64_t nodeOfOrigin(ExprId origin) const;

    void setTheme(const Theme& theme);
    void setCanvasOptions(const CanvasOptions& options);
    void setHeat(std::shared_ptr<const std::vector<float>> heat);
    void openSearch();

    // Groups.
    void expandGroup(uint32_t node);
    /// Closes the innermost open group round a node.
    void collapseAround(uint32_t node);
    void expandAll();
    void collapseAll();
    /// Adds to the selection what is at the same place in the other blocks that are alike. `done` is told what was
    /// found.
    void selectAlike(std::function<void(const AlikeNodes&)> done);
    bool hasGroups() const { return shown_.tree && !shown_.tree->empty(); }
    /// Selects an expression of the shown function and brings it into view; opens the groups that it lies in.
    void showExpression(ExprId expr);
    /// The same for an expression of the document's shown module.
    void showOrigin(ExprId origin);
    /// Marks all nodes between two selected ones, and those two. False where there is no path.
    bool showPath();
    void clearPath();
    bool pathShown() const { return path_shown_; }
    /// Marks nodes of the step that is played; empty: none.
    void setStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related);
    /// Shows colours of a step instead of the result's; null: of the result. A button on the canvas says so by
    /// `caption`, where there is one.
    void setStepDecoration(std::shared_ptr<const DecorationInput> input, const QString& caption = QString(),
                           const QString& tip = QString());

signals:
    void activated(quint32 node);
    void breadcrumbClicked(int depth);
    /// A hit of the search lies in another function.
    void hitWanted(const QString& function, partita::ExprId expr);
    void contextMenuRequested(const QPoint& global_position);
    /// The reader wants the result back in place of the step.
    void resultWanted();
    /// The layout of the latest state is on the screen.
    void settled();

private:
    /// What has to be made anew.
    enum class Change { Model, Groups, OpenGroups, Layout };
    /// A picture: the graph in its groups, laid out.
    struct LaidOut {
        GraphModelPtr model;  ///< null: there is none yet
        GraphModelPtr full;   ///< with a node for each expression
        GraphModelOptions model_options;
        GroupTreePtr tree;  ///< null: not made yet
        Grouping grouping = Grouping::Automatic;
        FlowPtr grouped_by;  ///< of groups by region: the flow that they are of
        OpenGroups open;
        bool opened_by_hand = false;  ///< somebody opened or closed groups
        ReadingRoom room;             ///< that it was made for
        bool in_columns = false;
        bool left_to_right = false;
        GraphDecorationPtr decoration;
        GraphGeometryPtr geometry;
        QString failure;
    };
    struct Search {
        std::vector<uint32_t> hits;  ///< nodes of the full model, ascending
        int current = -1;
        quint64 job = 0, list_job = 0;
    };

    /// What the queries with a colour found.
    struct Tints {
        QStringList queries;
        GraphModelPtr full;
        FlowPtr flow;
        std::vector<uint8_t> of_node;  ///< by node of `full`: 0, or the number of the first query that finds it
        std::vector<size_t> counts;    ///< by query
        quint64 job = 0;
    };

    void buildColumn();
    void followView();
    void followSearch();
    void followDocument();
    void layoutStopped();
    LaidOut knownFor(Change change);
    static LaidOut layOut(LaidOut known, bool open_known, const DecorationInput& input, LayoutCache& layouts,
                          const JobContext& context);
    static void place(LaidOut& result, const DecorationInput& input, LayoutCache& layouts, const JobContext& context);
    static LaidOut readableAtFirst(const LaidOut& known, const DecorationInput& input, LayoutCache& layouts,
                                   const JobContext& context);
    static LaidOut plainOrByBlocks(LaidOut plain, const DecorationInput& input, LayoutCache& layouts,
                                   const JobContext& context);
    ReadingRoom room() const;
    void followRoom();
    void openGroups(OpenGroups open);
    void lookAtOpened();
    ModulePtr module() const;
    ExprId function() const;
    bool isStopped() const;
    DecorationInput decorationInput() const;
    void refresh();
    void redecorate();
    void startLayout(Change change);
    void acceptLayout(LaidOut laid_out);
    std::vector<int32_t> nodesAfterEdit(const GraphModelPtr& next) const;
    void showSelection();
    void runSearch();
    void listHits();
    void showHit(const QString& function, ExprId expr);
    void acceptHits(std::vector<uint32_t> hits);
    void stepSearch(int by);
    void selectHits();
    void markHits(GraphDecoration& decoration) const;
    void markBookmarks(GraphDecoration& decoration) const;
    void findTints();
    void markTints(GraphDecoration& decoration) const;
    void updateStatus();
    void buildBreadcrumb();
    void renamePath();
    void resizeEvent(QResizeEvent* event) override;

    Document& document_;
    PageTarget target_;
    CanvasOptions options_;
    LaidOut shown_;    ///< on the screen
    OpenGroups open_;  ///< as they shall be; those of what is shown where a layout is stopped
    bool opened_by_hand_ = false;
    Search search_;
    Tints tints_;
    ExprId wanted_;             ///< to be selected when the next layout is shown
    quint64 opened_group_ = 0;  ///< the key of the group to be looked at when the next layout is shown; 0: none
    std::shared_ptr<const std::vector<float>> heat_;
    std::shared_ptr<const DecorationInput> step_;
    quint64 layout_job_ = 0;
    std::weak_ptr<const Module> stopped_;  ///< whose picture somebody stopped
    bool path_shown_ = false;

    GraphView* view_;
    SearchBar* search_bar_;
    HitList* hit_list_;
    QWidget* breadcrumb_;
    LayoutNotice* layout_notice_;
    GroupsNotice* groups_notice_;
    QPushButton* step_button_;
    QueryLegend* query_legend_;
};

}  // namespace partita
