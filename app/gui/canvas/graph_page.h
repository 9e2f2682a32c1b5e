// One tab: a function of the document on a canvas, with its breadcrumb, search bar and layout. Follows the document:
// marks change at once, a new layout is made by a job and shown when it is ready.
#pragma once

#include <QElapsedTimer>
#include <QLabel>
#include <QWidget>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/canvas/graph_view.h"

class QHBoxLayout;
class QPushButton;

namespace partita {

class SearchBar;

/// What a page shows. Found anew by its name in each new result.
struct PageTarget {
    enum class Source { Shown, Partitioned };
    Source source = Source::Shown;
    QString function = QStringLiteral("main");
    ExprId literal;         ///< a literal function inside (a composite); valid in `literal_module` only
    ModulePtr literal_module;
    QStringList path;       ///< titles of the pages above it, for the breadcrumb

    QString title() const;
    bool operator==(const PageTarget& other) const {
        return source == other.source && function == other.function && literal == other.literal &&
               literal_module == other.literal_module;
    }
};

struct CanvasOptions {
    GraphModelOptions model;
    bool animated = true;
    bool edge_types = false;
    bool minimap = true;
};

class GraphPage : public QWidget {
    Q_OBJECT

public:
    GraphPage(Document& document, PageTarget target, QWidget* parent = nullptr);
    ~GraphPage() override;

    const PageTarget& target() const { return target_; }
    GraphView& view() { return *view_; }
    SearchBar& searchBar() { return *search_bar_; }
    /// Whether the function still exists in the document.
    bool exists() const { return function().valid(); }
    /// The expressions of the shown module that are selected here.
    std::vector<ExprId> selectedOrigins() const;
    /// The node of an expression of the shown module, or -1.
    int64_t nodeOfOrigin(ExprId origin) const;

    void setTheme(const Theme& theme);
    void setCanvasOptions(const CanvasOptions& options);
    void setHeat(std::shared_ptr<const std::vector<float>> heat);
    void openSearch();
    /// Marks nodes of the step that is played; empty: none.
    void setStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related);
    /// Shows colours of a step instead of the result's; null: of the result.
    void setStepDecoration(std::shared_ptr<const DecorationInput> input);

signals:
    void activated(quint32 node);
    void breadcrumbClicked(int depth);
    void contextMenuRequested(const QPoint& global_position);
    /// The layout of the latest state is on the screen.
    void settled();

private:
    struct LaidOut {
        GraphModelPtr model;
        GraphDecorationPtr decoration;
        GraphGeometryPtr geometry;
        QString failure;
    };

    ModulePtr module() const;
    ExprId function() const;
    DecorationInput decorationInput() const;
    void refresh();
    void redecorate();
    void startLayout(bool new_model);
    void acceptLayout(LaidOut laid_out);
    void showSelection();
    void runSearch();
    void updateStatus();
    void buildBreadcrumb();
    void placeOverlay();
    void resizeEvent(QResizeEvent* event) override;

    Document& document_;
    PageTarget target_;
    CanvasOptions options_;
    GraphModelPtr model_;              ///< on the screen
    GraphModelOptions model_options_;  ///< that it was made with
    GraphDecorationPtr laid_out_as_;   ///< the decoration of the layout on the screen
    std::shared_ptr<const std::vector<float>> heat_;
    std::shared_ptr<const DecorationInput> step_;
    quint64 layout_job_ = 0;

    GraphView* view_ = nullptr;
    SearchBar* search_bar_ = nullptr;
    QWidget* breadcrumb_ = nullptr;
    QWidget* overlay_ = nullptr;
    QLabel* overlay_text_ = nullptr;
};

}  // namespace partita
