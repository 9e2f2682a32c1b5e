// Tests that measure or draw text bring their fonts (tests/fonts.conf), whatever the desktop's are. Included by each of
// them: what is set here counts from before the application is made.
#pragma once

#include <QtGlobal>

namespace partita {

/// Who wants to see the tests with other fonts sets FONTCONFIG_FILE.
inline const bool own_fonts =
    qEnvironmentVariableIsSet("FONTCONFIG_FILE") || qputenv("FONTCONFIG_FILE", PARTITA_SOURCE_DIR "/tests/fonts.conf");

}  // namespace partita
