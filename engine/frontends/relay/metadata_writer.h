// Writes the metadata section of Relay text as TVM's JSON writer lays it out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"

namespace partita::relay {

/// The targets of `meta[KEY][i]`, collected while a module is printed.
class MetadataWriter {
public:
    explicit MetadataWriter(const Module& module) : module_(module) {}

    /// Returns the index i of `meta[relay.Constant][i]`. One entry for each expression. If the values of all constants
    /// are missing, the section omits them, as did the text that was read.
    uint32_t add_constant(ExprId constant);
    /// Returns the index i of `meta[KEY][i]` for the attributes of a call. One entry for each call, as in TVM.
    uint32_t add_attributes(std::string_view key, ExprId call);

    /// Returns whether nothing was referenced.
    bool empty() const { return sections_.empty(); }
    /// Returns whether there is something to write.
    bool has_content() const { return !written().empty(); }
    /// Appends the JSON, without a newline at its end.
    void write(std::string& out) const;

private:
    struct Section {
        std::string_view key;
        std::vector<ExprId> entries;
    };
    Section& section(std::string_view key);
    std::vector<const Section*> written() const;

    const Module& module_;
    std::vector<Section> sections_;  ///< in the order of their first entries
    bool values_known_ = false;      ///< of at least one constant
};

}  // namespace partita::relay
