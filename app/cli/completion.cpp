#include "app/cli/completion.h"

#include <algorithm>
#include <map>

#include "engine/partitioners/partitioner.h"
#include "engine/rules/backend_description.h"
#include "engine/support/embedded_texts.h"

namespace partita::cli {
namespace {

constexpr std::string_view kChoice = "one of ";

/// What may stand behind an option, or as an argument.
struct Values {
    std::vector<std::string> words;
    bool files = false;
    bool list = false;  ///< several of them, with commas between

    bool operator<(const Values& other) const {
        return std::tie(words, files, list) < std::tie(other.words, other.files, other.list);
    }
};

struct CompletedOption {
    std::vector<std::string> names;  ///< "-o", "--output"
    std::string help;
    bool takes_value = false, repeats = false;
    Values values;
};

struct CompletedCommand {
    std::string words;  ///< "rules check"; "" for the program
    std::string help;
    std::vector<CompletedOption> options;
    Values arguments;
    std::vector<std::string> commands;  ///< inside it

    std::string name() const { return words.substr(words.rfind(' ') + 1); }
    std::string parent() const { return words.find(' ') == words.npos ? "" : words.substr(0, words.find(' ')); }
};

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
    return text;
}

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(at, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::vector<std::string> with_behind(std::vector<std::string> words, const std::string& end) {
    for (std::string& word : words) word += end;
    return words;
}

std::vector<std::string> lesson_names() {
    std::vector<std::string> names;
    for (const EmbeddedText& lesson : embedded_lessons()) names.emplace_back(lesson.name);
    return names;
}

/// "units=yes", "min-nodes=": the options of partitioners, with their values where those are words.
std::vector<std::string> partitioner_options() {
    std::vector<std::string> all;
    for (const Partitioner& partitioner : partitioners())
        for (const PartitionerOption& option : partitioner.options)
            for (const std::string& value : split(option.values, '|')) {
                const bool is_word = std::none_of(value.begin(), value.end(),
                                                  [](unsigned char c) { return (c >= 'A' && c <= 'Z') || c == ','; });
                all.push_back(std::string(option.name) + "=" + (is_word ? value : ""));
            }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

bool names_a_file(const std::string& type) {
    constexpr std::string_view kFiles[] = {"F", "OUT", "D", "DIR", "V", "P"};
    const std::string name = type.substr(type.rfind('=') + 1);
    return std::find(std::begin(kFiles), std::end(kFiles), name.substr(0, name.find('.'))) != std::end(kFiles);
}

/// Returns the values of a choice; nothing of what takes others.
std::vector<std::string> choice_in(CLI::Option& option) {
    try {
        for (int i = 0;; ++i)
            if (const std::string name = option.get_validator(i)->get_name(); name.starts_with(kChoice))
                return split(std::string_view(name).substr(kChoice.size()), ' ');
    } catch (const CLI::OptionNotFound&) {  // the parser tells in no other way that there are no more checks
        return {};
    }
}

/// Returns what an option takes: the values of a choice, else what its kind of value says.
Values values_of(CLI::Option& option, const std::string& command) {
    if (std::vector<std::string> words = choice_in(option); !words.empty()) return {std::move(words)};
    const std::string whole = option.get_type_name(), type = whole.substr(0, whole.find(':'));
    if (type == "F.json,...") return {builtin_backend_names(), true, true};
    if (type == "KEY=VALUE") return {partitioner_options()};
    if (type == "BACKEND[=SEL]") return {builtin_backend_names()};
    if (type == "BACKEND=PERCENT") return {with_behind(builtin_backend_names(), "=")};
    if (!option.get_positional()) return {{}, names_a_file(type)};
    const std::string name = option.get_name(true);
    if (name == "LESSON" || command.starts_with("lessons")) return {lesson_names(), true};
    const bool is_description = command.starts_with("rules") && (name == "F.json" || name == "OLD" || name == "NEW");
    return {is_description ? builtin_backend_names() : std::vector<std::string>(), true};
}

/// The first sentence of a description, or its first part.
std::string short_help(const std::string& text) {
    size_t end = text.size();
    for (const char* mark : {". ", "; ", "\n"}) end = std::min(end, text.find(mark));
    return text.substr(0, end);
}

void add_options(CLI::App& app, CompletedCommand& command) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;
        if (option->get_positional()) {
            const Values values = values_of(*option, command.words);
            command.arguments.files = command.arguments.files || values.files;
            if (command.arguments.words.empty()) command.arguments.words = values.words;
            continue;
        }
        CompletedOption added;
        for (const std::string& name : option->get_snames()) added.names.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) added.names.push_back("--" + name);
        const bool known = std::any_of(command.options.begin(), command.options.end(),
                                       [&](const CompletedOption& each) { return each.names == added.names; });
        if (known) continue;  // --help of a group
        added.help = short_help(option->get_description());
        added.takes_value = option->get_items_expected_max() > 0;
        added.repeats = option->get_expected_max() > 1;
        if (added.takes_value) added.values = values_of(*option, command.words);
        command.options.push_back(std::move(added));
    }
}

void add_commands(CLI::App& app, const std::string& words, std::vector<CompletedCommand>& all) {
    const size_t place = all.size();
    all.push_back({words, short_help(app.get_description()), {}, {}, {}});
    add_options(app, all[place]);
    for (CLI::App* inner : app.get_subcommands([](CLI::App*) { return true; })) {
        if (inner->get_name().empty()) {
            add_options(*inner, all[place]);
            continue;
        }
        all[place].commands.push_back(inner->get_name());
        add_commands(*inner, (words.empty() ? "" : words + " ") + inner->get_name(), all);
    }
}

std::vector<std::string> option_names(const CompletedCommand& command) {
    std::vector<std::string> names;
    for (const CompletedOption& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

constexpr const char* kBashBegin =
    R"sh(# Completion of partita-cli for bash, written by `partita-cli --completion bash`.
_partita_cli() {
    local words=("${COMP_WORDS[0]}") part before= i
    for ((i = 1; i <= COMP_CWORD; i++)); do  # bash splits words at =
        part=${COMP_WORDS[i]}
        if [[ ($part == = || $before == =) && ${#words[@]} -gt 1 ]]; then words[-1]+=$part; else words+=("$part"); fi
        before=$part
    done
    local word=${words[-1]} option=${words[-2]} command= options= commands= values= files=yes list=
    [ ${#words[@]} -gt 2 ] && command=${words[1]}
    [[ ${#words[@]} -gt 3 && " INNER " == *" $command ${words[2]} "* ]] && command+=" ${words[2]}"
)sh";

constexpr const char* kBashEnd = R"sh(    local start=
    if [[ $word == --*=* ]]; then start=${word%%=*}= && word=${word#*=}; fi
    if [[ $word == *=* && -z $values ]]; then start+=${word%=*}= && word=${word##*=}; fi
    if [ -n "$list" ] && [[ $word == *,* ]]; then start+=${word%,*}, && word=${word##*,}; fi
    if [[ $word == -* && -z $start ]]; then values=$options files=
    elif [ -n "$commands" ]; then values=$commands files=
    fi
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word"; [ -z "$files" ] || compgen -f -- "$word")
    [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace 2>/dev/null
    [ -n "$files" ] || compopt +o filenames 2>/dev/null  # which would put a backslash before =
    COMPREPLY=("${COMPREPLY[@]/#/$start}")
    [[ $start$word == *=* && $COMP_WORDBREAKS == *=* ]] && COMPREPLY=("${COMPREPLY[@]#*=}")
}
complete -o filenames -F _partita_cli partita-cli
)sh";

/// Says what may stand there.
std::string assigned(const Values& values) {
    return " values=\"" + joined(values.words) + "\" files=" + (values.files ? "yes" : "") +
           (values.list ? " list=yes" : "");
}

std::string bash_script(const std::vector<CompletedCommand>& all) {
    std::string inner, commands;
    std::map<std::string, std::map<Values, std::vector<std::string>>> uses;  // by option: what the commands take for it
    for (const CompletedCommand& command : all) {
        if (!command.parent().empty()) inner += (inner.empty() ? "" : " | ") + command.words;
        commands += "        \"" + command.words + "\") options=\"" + joined(option_names(command)) + "\"";
        if (!command.commands.empty()) commands += " commands=\"" + joined(command.commands) + "\"";
        else commands += assigned(command.arguments);
        commands += " ;;\n";
        for (const CompletedOption& option : command.options)
            for (const std::string& name : option.names)
                if (option.takes_value) uses[name][option.values].push_back(command.words);
                else uses[name];
    }
    const auto is_flag_elsewhere = [&](const std::string& name, size_t takers) {
        const auto has = [&](const CompletedCommand& command) {
            const std::vector<std::string> names = option_names(command);
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        return size_t(std::count_if(all.begin(), all.end(), has)) != takers;
    };
    std::map<Values, std::string> patterns;
    for (const auto& [name, by_values] : uses)
        for (const auto& [values, takers] : by_values) {
            std::string& pattern = patterns[values];
            const auto add = [&pattern](const std::string& text) { pattern += (pattern.empty() ? "" : " | ") + text; };
            if (by_values.size() == 1 && !is_flag_elsewhere(name, takers.size())) add("*\" " + name + "\"");
            else
                for (const std::string& command : takers) add("\"" + command + " " + name + "\"");
        }
    std::string script = kBashBegin;
    script.replace(script.find("INNER"), 5, inner);
    script += "    case $command in\n" + commands + "    esac\n";
    script += "    [[ $word == --*=* ]] && option=${word%%=*}\n    case \"$command $option\" in\n";
    for (const auto& [values, pattern] : patterns)
        script += "        " + pattern + ") commands=" + assigned(values) + " ;;\n";
    return script + "    esac\n" + kBashEnd;
}

/// Puts `text` in single quotes, after a backslash before each of `special`; `quote` stands for a quote in it.
std::string quoted(const std::string& text, std::string_view special = {}, const char* quote = "'\\''") {
    std::string result = "'";
    for (char c : text) {
        if (special.find(c) != special.npos) result += '\\';
        result += c == '\'' ? quote : std::string(1, c);
    }
    return result + "'";
}

constexpr const char* kZshBegin = R"sh(#compdef partita-cli
# Completion of partita-cli for zsh, written by `partita-cli --completion zsh`.
_partita_cli_or_files() { _alternative "names:name:($*)" 'files:file:_files' }
_partita_cli_list() { compset -P '*,'; _partita_cli_or_files "$@" }
_partita_cli() {
    local command=
    local -a commands
    while (( CURRENT > 2 )) && [[ -z $command || "INNER" == *" $command $words[2] "* ]]; do
        command+=${command:+ }$words[2]
        shift words
        (( CURRENT-- ))
    done
    case $command in
)sh";
constexpr const char* kZshEnd = R"sh(    esac
    (( $#commands )) && _describe -t commands command commands
}
_partita_cli "$@"
)sh";

/// What zsh's _arguments does for a value. The space keeps it from putting words of its own behind the function.
std::string zsh_action(const Values& values) {
    const std::string words = joined(values.words);
    if (values.list) return " _partita_cli_list " + words;
    if (values.words.empty()) return values.files ? "_files" : " ";
    return values.files ? " _partita_cli_or_files " + words : "(" + words + ")";
}

std::string zsh_arguments(const CompletedCommand& command) {
    std::string text;
    for (const CompletedOption& option : command.options)
        for (const std::string& name : option.names) {
            const bool is_long = name.starts_with("--");
            std::string spec = (option.repeats ? "'*" : "'") + name;
            if (option.takes_value) spec += is_long ? "=" : "+";
            const std::string help = quoted(option.help, "[]\\");
            text += " \\\n            " + spec + "[" + help.substr(1, help.size() - 2) + "]";
            text += option.takes_value ? ":value:" + zsh_action(option.values) + "'" : "'";
        }
    if (command.commands.empty() && !command.words.empty())
        text += " \\\n            '*:file:" + zsh_action(command.arguments) + "'";
    return text;
}

std::string zsh_script(const std::vector<CompletedCommand>& all) {
    std::string script = kZshBegin, inner = " ";
    const auto help_of = [&](const std::string& words) {
        return std::find_if(all.begin(), all.end(), [&](const CompletedCommand& each) { return each.words == words; })
            ->help;
    };
    for (const CompletedCommand& command : all) {
        if (!command.parent().empty()) inner += command.words + " | ";
        script += "        " + quoted(command.words) + ")\n";
        if (!command.commands.empty()) script += "        commands=(\n";
        for (const std::string& name : command.commands)
            script += "            " +
                      quoted(name + ":" + help_of((command.words.empty() ? "" : command.words + " ") + name), "\\") +
                      "\n";
        if (!command.commands.empty()) script += "        )\n";
        script += "        _arguments" + zsh_arguments(command) + " ;;\n";
    }
    script.replace(script.find("INNER"), 5, inner);
    return script + kZshEnd;
}

constexpr const char* kFishBegin =
    R"sh(# Completion of partita-cli for fish, written by `partita-cli --completion fish`.
function __partita_cli_in  # one of these commands
    set -l words (commandline -opc | string match --invert -- '-*')
    for command in $argv
        string match --quiet -- "$command *" "$words[2..] "; and return 0
    end
    return 1
end
function __partita_cli_at  # this command, and nothing behind it
    set -l words (commandline -opc | string match --invert -- '-*')
    test "$words[2..]" = "$argv"
end
function __partita_cli_list
    set -l start (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '.*,')
    printf '%s\n' "$start"$argv
end
complete -c partita-cli -f
)sh";

std::string fish_condition(const char* function, const std::string& commands) {
    return "complete -c partita-cli -n " + quoted(function + commands);
}

std::string fish_values(const Values& values) {
    std::string text = values.files ? " -F" : "";
    if (values.words.empty()) return text;
    return text + " -a " +
           quoted(values.list ? "(__partita_cli_list " + joined(values.words) + ")" : joined(values.words));
}

std::string fish_script(const std::vector<CompletedCommand>& all) {
    std::string script = kFishBegin;
    std::vector<std::pair<std::string, std::string>> options;  // an option, and the commands that have it
    for (const CompletedCommand& command : all) {
        const std::string in = fish_condition("__partita_cli_in", " \"" + command.words + "\"");
        if (!command.words.empty())
            script += fish_condition("__partita_cli_at", " " + command.parent()) + " -a " + command.name() + " -d " +
                      quoted(command.help, "\\", "\\'") + "\n";
        if (command.arguments.files) script += in + fish_values(command.arguments) + "\n";
        for (const CompletedOption& option : command.options) {
            std::string line;
            for (const std::string& name : option.names)
                line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (option.takes_value) line += (option.values.files ? " -r" : " -x") + fish_values(option.values);
            line += " -d " + quoted(option.help, "\\", "\\'");
            const auto same =
                std::find_if(options.begin(), options.end(), [&](const auto& each) { return each.first == line; });
            (same == options.end() ? options.emplace_back(line, "") : *same).second += " \"" + command.words + "\"";
        }
    }
    for (const auto& [line, commands] : options) script += fish_condition("__partita_cli_in", commands) + line + "\n";
    return script;
}

}  // namespace

std::string name_of_choice(const std::vector<std::string>& values) { return std::string(kChoice) + joined(values); }

std::string completion_script(CLI::App& app, const std::string& shell) {
    std::vector<CompletedCommand> all;
    add_commands(app, "", all);
    return shell == "bash" ? bash_script(all) : shell == "zsh" ? zsh_script(all) : fish_script(all);
}

}  // namespace partita::cli
