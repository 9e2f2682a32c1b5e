// Where a file is to be saved.
#pragma once

#include <QString>

class QWidget;

namespace partita {

enum class Ending : uint8_t {
    IfNone,  ///< a name without any gets this one
    Always,  ///< a name with another gets this one, too
};

/// Asks for a file to write, and completes its name. The dialog asks before a file is replaced, but of the name as it
/// was typed: of one that was completed this asks again. "" where nobody chose.
QString ask_where_to_save(QWidget* parent, const QString& title, const QString& suggested, const QString& filters,
                          const QString& ending, Ending when = Ending::IfNone);

}  // namespace partita
