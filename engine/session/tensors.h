// Tensors in files, for the window and the command line: NumPy's .npy and .npz.
#pragma once

#include "engine/runtime/npy.h"
