#include "engine/backends/dnnl/layout_text.h"

#include <algorithm>

namespace partita::onednn {

using dnnl::memory;

memory::desc row_major(const memory::dims& dims, memory::data_type type) {
    memory::dims strides(dims.size());
    int64_t stride = 1;
    for (size_t d = dims.size(); d-- > 0;) {
        strides[d] = stride;
        stride *= std::max<int64_t>(dims[d], 1);
    }
    return memory::desc(dims, type, strides);
}

const std::vector<std::pair<memory::format_tag, std::string>>& usual_layouts(size_t rank) {
    using tag = memory::format_tag;
    static const std::vector<std::pair<tag, std::string>> layouts[] = {
        {},
        {},
        {{tag::ab, "ab"}},
        {{tag::abc, "abc"}, {tag::acb, "acb"}, {tag::aBc16b, "aBc16b"}, {tag::aBc8b, "aBc8b"}},
        {{tag::abcd, "abcd"}, {tag::acdb, "acdb"}, {tag::aBcd16b, "aBcd16b"}, {tag::aBcd8b, "aBcd8b"}},
        {{tag::abcde, "abcde"}, {tag::acdeb, "acdeb"}, {tag::aBcde16b, "aBcde16b"}, {tag::aBcde8b, "aBcde8b"}},
    };
    return layouts[rank < std::size(layouts) ? rank : 0];
}

std::string layout_text(const memory::desc& desc) {
    if (desc.is_zero() || desc == row_major(desc.dims(), desc.data_type())) return "";
    for (const auto& [tag, name] : usual_layouts(desc.dims().size()))
        if (desc == memory::desc(desc.dims(), desc.data_type(), tag)) return name;
    if (desc.data.format_kind != dnnl_blocked) return "opaque";
    // No name: what tells it from others.
    std::string text = "strides";
    const dnnl_blocking_desc_t& blocking = desc.data.format_desc.blocking;
    for (int d = 0; d < desc.data.ndims; ++d) text += " " + std::to_string(blocking.strides[d]);
    for (int block = 0; block < blocking.inner_nblks; ++block)
        text += " " + std::to_string(blocking.inner_blks[block]) + char('a' + blocking.inner_idxs[block]);
    return text;
}

}  // namespace partita::onednn
