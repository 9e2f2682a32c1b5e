// `backends`, `partitioners`, `formats`: what there is to choose from, each from its table.
#include <functional>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/exporters/exporter.h"
#include "engine/flow/flow.h"
#include "engine/partitioners/partitioner.h"
#include "engine/rules/backend_description.h"
#include "engine/session/front_ends.h"
#include "engine/session/report_readers.h"

namespace partita::cli {

namespace {

Json backends_json() {
    Json list = Json::array();
    for (const std::string& name : builtin_backend_names()) {
        const Result<BackendDescription> backend = builtin_backend(name);
        if (backend)
            list.push_back({{"name", name},
                            {"summary", backend->summary},
                            {"executed_by", backend->codegen},
                            {"operators", backend->ops.size()},
                            {"patterns", backend->patterns.size()}});
    }
    return Json{{"backends", std::move(list)}};
}

void print_backends() {
    const Json all = backends_json();
    for (const Json& backend : all["backends"])
        print(backend["name"].get<std::string>() + "\n  " + backend["summary"].get<std::string>() + "\n  executed by " +
              backend["executed_by"].get<std::string>() + "; rules for " + backend["operators"].dump() +
              " operators, " + backend["patterns"].dump() + " patterns\n");
}

Json partitioners_json() {
    Json list = Json::array();
    list.push_back({{"name", PartitionerChoice::kOwn},
                    {"title", "Relay's flow: annotate, merge, partition"},
                    {"source", "Apache TVM 0.9, src/relay/transforms"},
                    {"options", Json::array()}});
    for (const Partitioner& partitioner : partitioners()) {
        Json options = Json::array();
        for (const PartitionerOption& option : partitioner.options)
            options.push_back({{"name", option.name}, {"values", option.values}, {"summary", option.summary}});
        list.push_back({{"name", partitioner.name},
                        {"title", partitioner.title},
                        {"source", partitioner.source},
                        {"options", std::move(options)}});
    }
    return Json{{"partitioners", std::move(list)}};
}

void print_partitioners() {
    const Json all = partitioners_json();
    for (const Json& partitioner : all["partitioners"]) {
        const std::string name = partitioner["name"].get<std::string>();
        print(name + "\n  " + partitioner["title"].get<std::string>() +
              "\n  source: " + partitioner["source"].get<std::string>() + "\n");
        if (name == PartitionerChoice::kOwn) print("  options: those of `partition`\n");
        for (const Json& option : partitioner["options"])
            print("  --option " + option["name"].get<std::string>() + "=" + option["values"].get<std::string>() + ": " +
                  option["summary"].get<std::string>() + "\n");
    }
}

Json formats_json() {
    Json read = Json::array(), written = Json::array(), reports = Json::array();
    for (const FrontEnd& format : front_ends())
        if (format.open_text || format.open_file)
            read.push_back({{"name", format.name}, {"title", format.title}, {"endings", format.endings}});
    for (const ExportForm& form : export_forms()) {
        std::string endings;
        for (const auto& ending : form.endings) endings += (endings.empty() ? "" : " ") + std::string(ending);
        written.push_back({{"name", form.name}, {"title", form.summary}, {"endings", std::move(endings)}});
    }
    for (const ReportReader& reader : report_readers())
        reports.push_back({{"name", reader.kind}, {"title", reader.title}});
    return Json{{"read", std::move(read)}, {"written", std::move(written)}, {"reports", std::move(reports)}};
}

void print_formats() {
    const Json formats = formats_json();
    for (const auto& [key, title] :
         {std::pair("read", "opened, by what a file begins with"), std::pair("written", "written by export --form"),
          std::pair("reports", "told by other programs, read by --from")}) {
        Table table({title, "", ""});
        for (const Json& format : formats[key])
            table.add(
                {format["name"].get<std::string>(), format.value("endings", ""), format["title"].get<std::string>()});
        print((key == std::string_view("read") ? "" : "\n") + table.text());
    }
}

void add_list(CLI::App& app, int& status, const char* name, const char* help, Json (*json)(), void (*text)()) {
    CLI::App* command = app.add_subcommand(name, help);
    auto as_json = std::make_shared<bool>(false);
    command->add_flag("--json", *as_json, "print JSON");
    command->callback([=, &status] {
        if (*as_json) print(json_text(json()));
        else text();
        status = kDone;
    });
}

}  // namespace

void add_list_commands(CLI::App& app, int& status) {
    add_list(app, status, "backends", "list the backends that ship: what they are for, who executes them",
             backends_json, print_backends);
    add_list(app, status, "partitioners", "list the algorithms that divide a graph, with their sources and options",
             partitioners_json, print_partitioners);
    add_list(app, status, "formats", "list the forms of files that are read and written", formats_json, print_formats);
}

}  // namespace partita::cli
