// How ONNX Runtime is told where nodes go: rules for annotations of nodes or for their names, and the configurations of
// devices that ONNX has from IR version 11.
#pragma once

#include "engine/frontends/program_report.h"

namespace partita::onnxruntime {

struct LayerRule {
    std::string device;  ///< a kind of device or the exact name of a provider
    std::string pattern;
    bool is_exact = false;  ///< "=pattern"
};

/// The rules of `session.layer_assignment_settings` or `session.name_based_layer_assignment`, with the meaning that
/// 1.30 gives them (core/framework/layering_annotations.cc:106-140, 619).
struct LayerRules {
    bool by_name = false;
    std::vector<LayerRule> rules;

    /// Returns the number of the rule that an annotation or, of rules by name, the name of a node falls under; -1 for
    /// none. An annotation falls under the first rule that it begins with, else under one that is exactly it; a name
    /// under the longest pattern that stands in it, of those the first.
    int rule_of(std::string_view text) const;
    /// Returns "KEY=VALUE", which read_layer_rules reads.
    std::string text() const;
    /// Returns whether the grammar has a way to write the pattern.
    static bool can_say(std::string_view pattern);
};
/// Reads the first setting of such a key in a text. Fails where 1.30 does.
Result<LayerRules> read_layer_rules(std::string_view text);

bool is_layer_rules(std::string_view text);
Result<ProgramReport> read_layer_report(std::string_view text);
Result<MatchedReport> match_layers(const ProgramReport& report, const std::vector<FileNode>& nodes);

/// A model as bytes that tells devices.
bool is_device_configuration(std::string_view bytes);
Result<ProgramReport> read_device_configuration(std::string_view bytes);

/// What is put into a model, in place of what of its kind was there.
struct ModelAdditions {
    int64_t least_ir = 0;               ///< the model gets this IR version if it has an older one
    std::vector<std::string> to_nodes;  ///< fields of NodeProto, by the number of the node in FileModel
    std::string to_model;               ///< fields of ModelProto
};
/// Returns fields that annotate a node, or say on which device of the list its results are, and in which stage; 0:
/// none.
std::string layer_annotation(const std::string& layer);
std::string device_of_node(const FileNode& node, size_t device, size_t stage);
std::string device_list(const std::vector<std::string>& devices);
/// Returns the model with additions. Everything else stays byte for byte.
Result<std::string> with_additions(std::string_view model, const ModelAdditions& additions);

}  // namespace partita::onnxruntime
