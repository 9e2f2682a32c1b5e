// Links to a place in a module, for messages and documents: partita:resnet18.onnx?backends=dnnl&until=partition&select=
// name:head/switch&panel=coverage. All parts but the file may be missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partita {

struct PlaceLink {
    std::string file;                   ///< a path, or the name of a file that the reader has
    std::vector<std::string> backends;  ///< names or description files; none: the usual ones
    std::string partitioner;            ///< a name of the table; "": the usual one
    std::string until;                  ///< the last pass that is done: annotate, merge, partition; "": none
    std::string select;                 ///< as ExpressionNames::select; "": nothing
    std::string panel;                  ///< the name of a panel; "": none
};

/// Returns the link on one line: bytes that a URL can't hold are written as %2E.
std::string place_link_text(const PlaceLink& link);
/// Returns nothing for a text that is no link. Unknown parts are left out.
std::optional<PlaceLink> read_place_link(std::string_view text);

}  // namespace partita
