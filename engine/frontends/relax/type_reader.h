// Reads the types of Relax: R.Tensor((1, n), dtype="float32"), tuples, shapes, primitive values.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "engine/frontends/relax/program.h"
#include "engine/frontends/relax/token_reader.h"

namespace partita::relax {

class TypeReader : protected TokenReader {
protected:
    using TokenReader::TokenReader;

    void add_symbol(std::string name) {
        program_.symbols.insert(name);
        check_free(name);
        symbols_.insert(std::move(name));
    }
    /// Notes the names of symbolic sizes, and the dialect if only a later one writes it so.
    TypeNumber read_type();
    /// Returns the text if it is one of numbers, names and what computes of them.
    std::string arithmetic(std::string text, const Token& at) const;

    Program program_;
    std::unordered_set<std::string> symbols_;  ///< symbolic sizes that were named so far

private:
    std::string size_in_quotes();
    std::string element_type();
    /// Sizes up to a bracket; in quotes where a function's head names symbolic ones.
    std::vector<std::string> read_dims(std::string_view end);
    TypeNumber tensor_type();
    int32_t read_rank();
    TypeNumber shape_type();
    TypeNumber tuple_type();
    TypeNumber prim_type();
};

}  // namespace partita::relax
