#include "app/python/functions.h"

#include <utility>
#include <vector>

#include "app/python/waiting.h"
#include "engine/annotators/annotator.h"
#include "engine/rules/annotated_backend.h"

namespace py = pybind11;

namespace partita::python {
namespace {

/// A function of Python that any thread may call and let go of.
AnnotatorService service_of(const py::function& serve) {
    const std::shared_ptr<PyObject> kept(serve.inc_ref().ptr(), [](PyObject* function) {
        const py::gil_scoped_acquire lock;
        Py_DECREF(function);
    });
    return [kept](int requests, int replies) {
        const py::gil_scoped_acquire lock;
        py::reinterpret_borrow<py::function>(kept.get())(requests, replies);
    };
}

}  // namespace

BackendPtr function_backend(const std::string& description, const py::function& serve) {
    Result<BackendDescription> parsed = parse_backend_description(description, "");
    auto backend = std::make_shared<BackendDescription>(value_or_raise(std::move(parsed)));
    const CancelToken cancel;
    const AnnotatorService service = service_of(serve);
    auto annotator = value_or_raise(wait_for(cancel, [&] { return Annotator::start(service, backend->name, cancel); }));
    std::vector<Diagnostic> notes;
    take_annotator(*backend, std::move(annotator), notes);
    // What can never match is a mistake of whoever wrote it here.
    if (!notes.empty()) throw Refusal{notes.front()};
    return backend;
}

}  // namespace partita::python
