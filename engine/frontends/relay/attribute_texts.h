// The texts of calls' attributes: as values, or as references into the metadata section.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/relay/metadata_writer.h"
#include "engine/frontends/relay/value_text.h"
#include "engine/ops/registry.h"

namespace partita::relay {

/// A text of values is made once for an op and a list of attributes.
class AttributeTexts {
public:
    /// With `show_metadata`, attributes of ops that have a key of metadata are references into `metadata`.
    AttributeTexts(const Module& module, MetadataWriter& metadata, bool show_metadata)
        : module_(module), metadata_(metadata), show_metadata_(show_metadata) {}

    /// Adds the call's attributes to the metadata section, if they are printed as a reference. Indices have the order
    /// of these calls.
    void refer_to_metadata(ExprId call) {
        const OpRecord* op = called_op_record(module_, call);
        if (!op || !is_reference(*op)) return;
        if (metadata_index_.empty()) metadata_index_.resize(module_.size());
        metadata_index_[call.value] = metadata_.add_attributes(op->metadata_key, call);
    }

    /// Returns ", axis=1" or ", meta[KEY][0]"; "" if there is nothing to print. Valid until the next call.
    std::string_view of(ExprId call) {
        const OpRecord* op = called_op_record(module_, call);
        if (!op) return {};
        if (is_reference(*op)) {
            reference_ = ", meta[" + op->metadata_key + "][" + std::to_string(metadata_index_[call.value]) + "]";
            return reference_;
        }
        const AttributesId attributes = module_.attributes_id(call);
        if (attributes.value >= values_.size()) values_.resize(attributes.value + 1);
        Values& known = values_[attributes.value];
        if (known.op != op) {
            known = {op, {}};
            append_call_attributes(known.text, *op, module_.attributes(attributes));
        }
        return known.text;
    }

private:
    struct Values {
        const OpRecord* op = nullptr;
        std::string text;
    };

    bool is_reference(const OpRecord& op) const { return show_metadata_ && !op.metadata_key.empty(); }

    const Module& module_;
    MetadataWriter& metadata_;
    bool show_metadata_;
    std::vector<uint32_t> metadata_index_;  ///< by ExprId of a call; empty if there are none
    std::vector<Values> values_;            ///< by AttributesId
    std::string reference_;
};

}  // namespace partita::relay
