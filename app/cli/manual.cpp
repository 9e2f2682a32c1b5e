#include "app/cli/manual.h"

#include <span>

namespace partita::cli {
namespace {

/// Escapes text for man, where backslashes, hyphens and a leading dot or quote are special.
std::string escaped(const std::string& text) {
    std::string result;
    bool line_start = true;
    for (char c : text) {
        if (line_start && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\') result += "\\e";
        else if (c == '-') result += "\\-";
        else result += c;
        line_start = c == '\n';
    }
    return result;
}

bool is_shown(const CLI::Option& option) { return !option.get_group().empty(); }

/// Returns the heading of an option: `-o, --output OUT`.
std::string heading(const CLI::Option& option) {
    std::string names = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
    for (size_t comma = names.find(','); comma != std::string::npos; comma = names.find(',', comma + 2)) {
        names.insert(comma + 1, " ");
    }
    std::string type = option.get_positional() || option.get_type_size() == 0 ? "" : option.get_type_name();
    size_t checks = type.find(':');
    return "\\fB" + escaped(names) + "\\fR" + (type.empty() ? "" : " \\fI" + escaped(type.substr(0, checks)) + "\\fR");
}

std::string option_text(const CLI::Option& option) {
    std::string text = option.get_description();
    if (!option.get_default_str().empty()) text += "; default " + option.get_default_str();
    size_t line = 0;
    // Keeps line breaks in a description.
    while ((line = text.find('\n', line)) != std::string::npos) {
        text.replace(line, 1, "\n.br\n");
        line += 5;
    }
    std::string result;
    size_t begin = 0;
    while (begin <= text.size()) {
        size_t end = std::min(text.find('\n', begin), text.size());
        std::string part = text.substr(begin, end - begin);
        result += (part == ".br" ? part : escaped(part)) + "\n";
        begin = end + 1;
    }
    return result;
}

void add_options(const CLI::App& app, std::string& page) {
    const bool is_group = app.get_name().empty();  // has a --help of its own, which its command shows already
    for (const CLI::Option* option : app.get_options()) {
        if (is_shown(*option) && !(is_group && option == app.get_help_ptr()))
            page += ".TP\n" + heading(*option) + "\n" + option_text(*option);
    }
}

struct Described {
    const char *name, *text;
};

constexpr Described kVariables[] = {
    {"PARTITA_CC", "the C compiler of regions; default cc"},
    {"PARTITA_CFLAGS", "its flags; default -O3 -march=native and what makes a library"},
    {"PARTITA_ANNOTATOR_SECONDS", "how long a rule in Python, or another program, may take over a call; default 5"},
    {"PARTITA_PLUGIN_SECONDS", "how long a plug-in may take over a region; default 60"},
    {"PARTITA_PLUGIN_GIGABYTES", "how much memory a plug-in may take; default 8"},
    {"PARTITA_PLUGIN_HOST", "the program that plug-ins run in; by default the one that was installed"},
    {"PARTITA_VECTOR_UNIT",
     "avx2 or baseline: the program's own kernels do without the instructions of newer processors"},
    {"PARTITA_VERIFY", "set: the result of each pass is checked"},
    {"XDG_CACHE_HOME", "the folder of caches; default ~/.cache"}};

constexpr Described kFiles[] = {
    {"~/.cache/partita", "compiled regions and tables of measured costs; may be deleted at any time"}};

std::string section(const char* title, std::span<const Described> entries) {
    std::string page = std::string(".SH ") + title + "\n";
    for (const Described& entry : entries)
        page += ".TP\n\\fB" + escaped(entry.name) + "\\fR\n" + escaped(entry.text) + "\n";
    return page;
}

std::string examples() {
    constexpr Described kExamples[] = {
        {"partita-cli info model.onnx", "what is in a model"},
        {"partita-cli explain model.onnx --backends dnnl --node op:nn.conv2d",
         "why each convolution goes where it goes"},
        {"partita-cli coverage model.onnx --backends npu.json --what-if", "what would take more calls to npu"},
        {"partita-cli run model.onnx --backends dnnl --compare", "times, and whether the results are right"},
        {"partita-cli export model.onnx --form c -o bundle", "the model as a folder of C"}};
    return section("EXAMPLES", kExamples);
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    std::string page = ".\\\" Written by `partita-cli --manual`; a test checks that it is current.\n";
    page += ".TH PARTITA\\-CLI 1\n.SH NAME\npartita\\-cli \\- divide a neural network among compilers, and run it\n";
    page += ".SH SYNOPSIS\n.B partita\\-cli\n.I COMMAND\n[\\fIOPTIONS\\fR]\n";
    page += ".SH DESCRIPTION\n" + escaped(app.get_description()) + "\n";
    page += ".SH COMMANDS\n";
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        page += ".SS " + escaped(command->get_name()) + "\n" + escaped(command->get_description()) + ".\n";
        add_options(*command, page);
        for (const CLI::App* inner : command->get_subcommands([](const CLI::App*) { return true; })) {
            if (!inner->get_name().empty())
                page += ".PP\n\\fB" + escaped(command->get_name() + " " + inner->get_name()) +
                        "\\fR: " + escaped(inner->get_description()) + ".\n";
            add_options(*inner, page);
        }
    }
    page += ".SH OPTIONS\n";
    add_options(app, page);
    return page +
           ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe input was refused or a comparison failed; the reason is on "
           "standard error\n.TP\n2\nwrong usage\n" +
           section("ENVIRONMENT", kVariables) + section("FILES", kFiles) + examples();
}

std::string environment_help() {
    std::string text = "Environment and files:\n";
    const auto add = [&text](const Described& entry) {
        text += std::string("  ") + entry.name + std::string(28 - std::string_view(entry.name).size(), ' ') +
                entry.text + "\n";
    };
    for (const Described& entry : kVariables) add(entry);
    for (const Described& entry : kFiles) add(entry);
    return text + "\n";
}

}  // namespace partita::cli
