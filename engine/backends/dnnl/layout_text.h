// Names of layouts, as oneDNN calls them where it has a name.
#pragma once

#include <dnnl.hpp>

#include <string>
#include <utility>
#include <vector>

namespace partita::onednn {

/// Returns a dense row-major description.
dnnl::memory::desc row_major(const dnnl::memory::dims& dims, dnnl::memory::data_type type);

/// Returns the common layouts of values of a rank with their names: row-major, channels last, and in blocks of
/// channels.
const std::vector<std::pair<dnnl::memory::format_tag, std::string>>& usual_layouts(size_t rank);

/// Returns a text that is equal for equal layouts of values of one type and shape; "" if row-major, or without a value.
std::string layout_text(const dnnl::memory::desc& desc);

}  // namespace partita::onednn
