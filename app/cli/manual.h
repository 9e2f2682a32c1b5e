// The manual page, made from the options themselves, so that it can't disagree with --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace partita::cli {

/// partita-cli(1) in man's language (man(7)). resources/man/partita-cli.1 is this text.
std::string manual_page(const CLI::App& app);

}  // namespace partita::cli
