#pragma once

#include "engine/session/session.h"

namespace partita {

/// Runs the body of @main, from its parameters on, on dnnl_all and on `default`: the report has the differences.
/// `inputs`: by name of a parameter; others are made up.
inline RunReport run_on_dnnl(const std::string& text, int threads, const std::map<std::string, Tensor>& inputs = {}) {
    Result<OpenedModule> opened = open_text("#[version = \"0.0.5\"]\ndef @main(" + text, "test");
    if (!opened) qFatal("%s", opened.error().to_string().c_str());
    FlowOptions options;
    options.backends.push_back(std::move(*load_backend("dnnl_all")));
    Result<FlowResult> flow = run_flow(opened->module, options);
    if (!flow) qFatal("%s", flow.error().to_string().c_str());
    RunOptions run;
    run.warmup = 0;
    run.repeat = 1;
    run.threads = threads;
    run.codegen["dnnl_all"] = "dnnl";
    run.inputs = inputs;
    Result<RunComparison> compared = run_and_compare(flow->partitioned, opened->module, run);
    if (!compared) qFatal("%s", compared.error().to_string().c_str());
    return std::move(compared->report);
}

}  // namespace partita
