// A tab that compares two modules: stages of the flow, the module as it was opened, or files. Both as graphs or as
// text, side by side, scrolled together; what was added, removed and changed is marked in both and listed.
#pragma once

#include <array>
#include <set>

#include <QHash>
#include <QIcon>
#include <QWidget>

#include "app/gui/diff/diff_side.h"
#include "app/gui/document/document.h"

class QComboBox;
class QLabel;
class QListWidget;
class QToolButton;

namespace partita {

class DiffPage : public QWidget {
    Q_OBJECT

public:
    explicit DiffPage(Document& document, QWidget* parent = nullptr);
    ~DiffPage() override;

    bool eventFilter(QObject* watched, QEvent* event) override;
    void setTheme(const Theme& theme);
    /// Takes a file as the side's module; a failure is shown where the summary stands.
    void openFile(DiffSideName side, const QString& path);
    DiffSide& side(DiffSideName name) { return *sides_[int(name)]; }
    QComboBox& source(DiffSideName name) { return *sources_[int(name)]; }
    QListWidget& list() { return *list_; }
    QLabel& summary() { return *summary_; }
    void showText(bool text);
    void goToChange(int by);

private:
    enum Source { Opened, Input, Composite, Annotated, Merged, Partitioned, File };
    struct Compared {
        ModuleDiff diff;
        std::array<std::vector<DiffMark>, 2> marks;
        std::array<QStringList, 2> functions;
        std::array<ModulePlaces, 2> places;
        QStringList backends;
        std::vector<DiffEntry> entries;
        QString summary;
    };

    QWidget* buildTop();
    QLayout* buildTools();
    QWidget* buildDifferences();
    ModulePtr moduleOf(int side) const;
    RefusedMergesPtr refusedIn(const ModulePtr& module) const;
    void chooseSource(int side, int index);
    void refresh();
    void acceptCompared(const ModulePtr& before, const ModulePtr& after, Compared compared);
    void fillList();
    void addItem(const DiffEntry& entry, const QString& text);
    void setOpen(int row, bool open);
    void showEntry(int row);
    void follow(int side, bool text);
    void lookAtBoth();
    ExprId counterpart(int side, ExprId expr) const;

    Document& document_;
    Theme theme_;
    DiffSide* sides_[2];
    QComboBox* sources_[2];
    QListWidget* list_;
    QLabel* summary_;
    QToolButton* as_text_;
    ModulePtr files_[2], compared_[2];
    int chosen_[2] = {};  ///< as the boxes of sources stood before a file was asked for
    Compared result_;
    std::vector<const DiffEntry*> rows_;  ///< of the list
    QHash<int, QIcon> icons_;             ///< by mark
    std::set<const DiffEntry*> open_;     ///< that stand for several: each of these has a row, too
    bool following_ = false;
    quint64 job_ = 0;
};

}  // namespace partita
