// Blocks that come again and again in a graph of any shape.
#include "tests/block_properties.h"
#include "tests/fuzz/targets.h"

namespace partita::fuzz {

void fuzz_blocks(Bytes bytes) {
    constexpr size_t kMostNodes = 2000;
    const BlockGraph graph = testing::block_graph_of(bytes.substr(0, kMostNodes));
    const std::string fault = testing::fault_of_blocks(graph, find_repeated_blocks(graph));
    require(fault.empty(), "found blocks are well formed", fault);
}

}  // namespace partita::fuzz
