// Changing a module by hand: the room of the edits, for the window and the command line.
#pragma once

#include "engine/edits/edits.h"
