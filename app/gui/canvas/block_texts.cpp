#include "app/gui/canvas/block_texts.h"

#include <algorithm>

#include <QLocale>
#include <QObject>

namespace partita {

namespace {

QString text_of_differences(const QList<QPair<QString, int>>& how) {
    constexpr qsizetype kMostKinds = 4;
    if (how.isEmpty()) return QObject::tr("wired in another way");
    QStringList parts;
    for (const auto& [op, more] : how) {
        if (parts.size() == kMostKinds) return parts.join(QStringLiteral(", ")) + QStringLiteral(", …");
        parts << (more > 0 ? QObject::tr("%1 more %2").arg(QLocale().toString(more), op)
                           : QObject::tr("%1 fewer %2").arg(QLocale().toString(-more), op));
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace

QString RunDifferenceText::add(size_t block, const QList<QPair<QString, int>>& how, const QString& name) {
    QString said = text_of_differences(how);
    const QString who = name.isEmpty() ? QObject::tr("block %1").arg(QLocale().toString(qulonglong(block) + 1)) : name;
    const auto same = std::find_if(found_.begin(), found_.end(), [&](const auto& each) { return each.first == said; });
    if (same != found_.end()) same->second << who;
    else found_.append({said, {who}});
    return said;
}

QString RunDifferenceText::text() const {
    constexpr qsizetype kMostKinds = 4, kMostNames = 3;
    QStringList parts{QObject::tr("%1 alike").arg(QLocale().toString(alike_))};
    for (const auto& [how, names] : found_.first(std::min(kMostKinds, found_.size()))) {
        QString who = names.first(std::min(kMostNames, names.size())).join(QStringLiteral(", "));
        if (names.size() > kMostNames)
            who = QObject::tr("%1 and %2 more").arg(who, QLocale().toString(names.size() - kMostNames));
        parts << QStringLiteral("%1: %2").arg(who, how);
    }
    if (found_.size() > kMostKinds) parts << QStringLiteral("…");
    return parts.join(QStringLiteral("; "));
}

}  // namespace partita
