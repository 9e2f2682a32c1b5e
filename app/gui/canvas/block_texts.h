// How the blocks of a run differ, in words: "11 alike; block 1: 1 more cast".
#pragma once

#include <QList>
#include <QPair>
#include <QString>

namespace partita {

/// What is said of one run, block by block.
class RunDifferenceText {
public:
    /// `alike`: how many blocks are as most of them are.
    explicit RunDifferenceText(uint32_t alike) : alike_(alike) {}

    /// Adds a block that differs, by its number from 0, or by a name that it has. `how`: operators and how many more of
    /// them there are; empty if it is only wired in another way. Returns that in words: "1 more cast".
    QString add(size_t block, const QList<QPair<QString, int>>& how, const QString& name = {});
    QString text() const;

private:
    const uint32_t alike_;
    QList<QPair<QString, QStringList>> found_;  ///< what differs, and the blocks that do so
};

}  // namespace partita
