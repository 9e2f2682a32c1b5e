#include "app/gui/document/inputs_text.h"

#include <algorithm>

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include "app/gui/style/foreign_text.h"

namespace partita {

QString value_text(const InputFile& input) {
    const QString file = shown_name(QFileInfo(QString::fromStdString(input.path)).fileName());
    return input.member.empty() ? file : QStringLiteral("%1: %2").arg(file, shown_name(input.member));
}

QString inputs_text(const std::vector<InputFile>& inputs) {
    constexpr size_t kMostShown = 3;
    QStringList parts;
    for (size_t i = 0; i < std::min(inputs.size(), kMostShown); ++i)
        parts << QStringLiteral("%1 = %2").arg(shown_name(inputs[i].parameter), value_text(inputs[i]));
    if (inputs.size() > kMostShown)
        parts << QCoreApplication::translate("Inputs", "%n more", nullptr, int(inputs.size() - kMostShown));
    return parts.join(QStringLiteral(", "));
}

}  // namespace partita
