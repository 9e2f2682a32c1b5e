// ONNX models and NumPy's files.
#include "engine/frontends/onnx/importer.h"
#include "engine/runtime/npy.h"
#include "tests/fuzz/targets.h"

namespace partita::fuzz {

void fuzz_onnx(Bytes bytes) {
    (void)looks_like_onnx(bytes);
    OnnxOptions options;
    options.file = "/nonexistent/fuzz.onnx";
    Result<OnnxImport> imported = import_onnx(bytes, options);
    if (imported) require(imported->module.typed(), "an imported module is typed");
    else require(!imported.error().message.empty(), "a refusal has a message");
}

void fuzz_npy(Bytes bytes) {
    Result<Tensor> tensor = parse_npy(bytes, "fuzz.npy");
    if (tensor) {
        Result<Tensor> again = parse_npy(format_npy(*tensor), "fuzz.npy");
        require(bool(again) && again->identical(*tensor), "what is written reads back");
    }
    (void)parse_npz(bytes, "fuzz.npz");
}

}  // namespace partita::fuzz
