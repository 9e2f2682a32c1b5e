// The rows of the outline: functions of the module, regions, and the functions after partitioning.
#pragma once

#include <QStandardItemModel>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"

namespace partita {

enum class OutlineKind { Heading, Function, Region, SubFunction };

enum OutlineRole {
    OutlineKindRole = Qt::UserRole + 1,
    OutlineNameRole,    ///< of a function
    OutlineRegionRole,  ///< index into the flow's regions
};

/// Fills the model anew from what the document holds. Linear in functions and regions.
void fill_outline(QStandardItemModel& model, const Document& document, const Theme& theme);

}  // namespace partita
