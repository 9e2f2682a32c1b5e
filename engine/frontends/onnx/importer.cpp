#include "engine/frontends/onnx/importer.h"

#include <algorithm>
#include <new>
#include <optional>
#include <unordered_set>
#include <utility>

#include "engine/frontends/onnx/graph_importer.h"
#include "engine/frontends/onnx/node_order.h"
#include "engine/support/one_line.h"

namespace partita {

using namespace onnx;

namespace {

/// How often a model is read again with what its graph computes.
constexpr int kMostCorrections = 8;

/// Returns the inputs whose dimensions the options must give: those without a value or a shape of their own.
std::vector<const ValueInfo*> open_inputs(const Graph& graph, const OnnxOptions& options) {
    std::unordered_set<std::string_view> with_values;
    for (const auto* list : {&graph.initializers, &graph.sparse_initializers})
        for (const TensorProto& initializer : *list) with_values.insert(initializer.name);
    std::vector<const ValueInfo*> open;
    for (const ValueInfo& info : graph.inputs) {
        const std::string name(info.name);
        if (!with_values.contains(info.name) && !options.constants.contains(name) &&
            !options.sequences.contains(name) && !options.shapes.contains(name) && info.kind.empty())
            open.push_back(&info);
    }
    return open;
}

/// Imports a model with the sizes of its named dimensions, and again where its graph computes others.
class SizedImport {
public:
    SizedImport(const Model& model, const OnnxOptions& options, size_t file_bytes)
        : model_(model), options_(options), file_bytes_(file_bytes),
          sizes_(open_inputs(model.graph, options), {options.dimensions.begin(), options.dimensions.end()}) {}

    OnnxImport run() {
        solve();
        Attempt attempt = import(sizes_);
        for (int i = 0; i < kMostCorrections && !attempt.mismatches.empty(); ++i)
            if (!correct(attempt)) break;
        OnnxImport& result = attempt.result;
        const std::vector<Diagnostic> notes = size_notes();
        result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
        for (const DimensionMismatch& mismatch : attempt.mismatches) result.notes.push_back(mismatch_note(mismatch));
        result.dimensions = sizes_.dimensions();
        return std::move(result);  // cppcheck-suppress returnStdMoveLocal
    }

private:
    struct Attempt {
        OnnxImport result;
        std::vector<DimensionMismatch> mismatches;
    };

    void solve() {
        Status solved = sizes_.solve();
        if (!solved && options_.correct_dimensions) {
            corrections_.push_back(solved.error().message);
            sizes_.forget_sums();
            solved = sizes_.solve();
        }
        if (!solved) throw Refused{solved.error().message};
    }

    Attempt import(const DimensionValues& sizes) const {
        GraphImporter importer(options_, sizes, file_bytes_);
        OnnxImport result = importer.import(model_);
        return {std::move(result), importer.mismatches()};
    }

    /// Takes the first size that the graph computes otherwise from there, if the graph then agrees with it. (A model's
    /// names may also be wrong.) Returns whether there is more to correct.
    bool correct(Attempt& attempt) {
        const DimensionMismatch mismatch = attempt.mismatches.front();
        const std::string& symbol = mismatch.symbol;
        DimensionValues corrected = sizes_;
        corrected.derive(mismatch);
        if (!corrected.solve() || corrected.find(symbol) != mismatch.size) return false;
        Attempt again;
        try {
            again = import(corrected);
        } catch (const Refused&) {
            return false;
        }
        for (const DimensionMismatch& left : again.mismatches)
            if (left.symbol == symbol) return false;
        const bool given = sizes_.source(symbol) == NamedDimension::Source::Given;
        const std::string size = std::to_string(*sizes_.find(symbol));
        if (given && !options_.correct_dimensions)
            throw Refused{"the symbolic dimension " + in_quotes(symbol) + " can't be " + size + " with " +
                          sizes_.others(symbol) + ": " + mismatch.where + " is then " + std::to_string(mismatch.size)};
        if (given)
            corrections_.push_back("the symbolic dimension " + in_quotes(symbol) + " was given as " + size +
                                   ", which contradicts the model");
        sizes_ = std::move(corrected);
        attempt = std::move(again);
        return true;
    }

    Diagnostic note(Severity severity, std::string text) const {
        return {severity, options_.file, {}, std::move(text)};
    }

    Diagnostic mismatch_note(const DimensionMismatch& mismatch) const {
        return note(Severity::Note, "the model calls " + mismatch.where + " " + in_quotes(mismatch.symbol) +
                                        ", which is " + std::to_string(*sizes_.find(mismatch.symbol)) + "; it is " +
                                        std::to_string(mismatch.size));
    }

    std::vector<Diagnostic> size_notes() const {
        using enum NamedDimension::Source;
        std::vector<Diagnostic> notes;
        for (const std::string& correction : corrections_) notes.push_back(note(Severity::Warning, correction));
        for (const NamedDimension& each : sizes_.dimensions()) {
            const std::string name = "the symbolic dimension " + in_quotes(each.name);
            if (each.source == Assumed) notes.push_back(note(Severity::Note, name + " is taken as 1"));
            if (each.source == Derived)
                notes.push_back(note(Severity::Note, name + " is " + std::to_string(each.value) +
                                                         (each.found_at.empty() ? ": " + on_one_line(each.relation)
                                                                                : ", as " + each.found_at)));
        }
        return notes;
    }

    const Model& model_;
    const OnnxOptions& options_;
    size_t file_bytes_;
    DimensionValues sizes_;
    std::vector<std::string> corrections_;
};

/// Runs an import and turns faults into a diagnostic with the file's name.
template <class MakeBytes>
Result<OnnxImport> import_or_refuse(const OnnxOptions& options, MakeBytes make_bytes) {
    auto refuse = [&](const std::string& message) {
        Diagnostic diagnostic = error(message);
        diagnostic.file = options.file;
        return diagnostic;
    };
    try {
        ModelBytes bytes = make_bytes();
        Result<Model> model = parse_model(bytes, options.cancel);
        if (!model) return refuse(model.error().message);
        if (Status ordered = order_nodes(*model); !ordered) return refuse(ordered.error().message);
        return SizedImport(*model, options, bytes.all().size()).run();
    } catch (const Refused& refused) {
        return refuse(refused.message);
    } catch (const Fault& fault) {
        return refuse(fault.message);
    } catch (const DataLost& lost) {
        return refuse(lost.what());
    } catch (const std::bad_alloc&) {
        return refuse("the model needs more memory than there is");
    }
}

}  // namespace

Result<OnnxImport> import_onnx(const std::shared_ptr<const SourceFile>& file, const OnnxOptions& options) {
    return import_or_refuse(options, [&] { return ModelBytes(file); });
}

Result<OnnxImport> import_onnx(std::string_view bytes, const OnnxOptions& options) {
    return import_or_refuse(options, [&] { return ModelBytes(bytes); });
}

bool looks_like_onnx(std::string_view bytes) {
    // Field 1, a varint below 128: ir_version, which every writer puts first.
    return bytes.size() >= 4 && bytes[0] == 0x08 && static_cast<unsigned char>(bytes[1]) < 0x20;
}

}  // namespace partita
