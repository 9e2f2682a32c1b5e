// A backend whose rules are functions of Python, called in this process.
#pragma once

#include <memory>
#include <string>

#include <pybind11/pybind11.h>

#include "engine/flow/flow_choice.h"

namespace partita::python {

/// Makes a backend of a description as JSON, and of `serve(requests, replies)`: it starts a thread that reads the
/// protocol of annotators from one descriptor and writes to the other; both become its own.
BackendPtr function_backend(const std::string& description, const pybind11::function& serve);

}  // namespace partita::python
