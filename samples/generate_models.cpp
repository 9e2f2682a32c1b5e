// usage: generate_models FOLDER [NAME...]
//
// Writes the sample models, or the named ones, as Relay text into FOLDER.
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "engine/frontends/relay/printer.h"
#include "engine/support/file.h"
#include "samples/models.h"

using namespace partita;

namespace {

Status write_model(const samples::SampleModel& model, const std::string& folder) {
    Result<Module> module = model.build();
    if (!module) return module.error();
    std::string path = folder + "/" + model.name + ".relay";
    Status written = write_file(path, "// " + std::string(model.shows) + "\n" + print_relay(*module));
    if (written) std::printf("%s\n", path.c_str());
    return written;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: generate_models FOLDER [NAME...]\n");
        return 2;
    }
    std::set<std::string> wanted(argv + 2, argv + argc);
    std::error_code fault;
    std::filesystem::create_directories(argv[1], fault);
    for (const samples::SampleModel& model : samples::sample_models()) {
        if (!wanted.empty() && wanted.erase(model.name) == 0) continue;
        if (Status written = write_model(model, argv[1]); !written) {
            std::fprintf(stderr, "%s: %s\n", model.name, written.error().to_string().c_str());
            return 1;
        }
        if (argc > 2 && wanted.empty()) break;
    }
    for (const std::string& name : wanted) std::fprintf(stderr, "error: there is no sample model %s\n", name.c_str());
    return wanted.empty() ? 0 : 1;
}
