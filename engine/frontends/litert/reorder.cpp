#include "engine/frontends/litert/reorder.h"

#include <cstring>

#include "engine/frontends/litert/model.h"
#include "engine/support/file.h"

namespace partita {

Result<std::string> reordered_litert(const std::string& path, std::span<const NodeId> order) {
    Result<std::string> text = read_file(path);
    if (!text) return text.error();
    try {
        std::string made = *text;
        flat::Bytes bytes(*text);
        const litert::Model model = litert::read_model(bytes, {});
        if (model.subgraphs[0].control_edges && !model.subgraphs[0].control_edges->empty())
            return error(
                "the file has a list of operators that wait for others, by their numbers: it can't be written in "
                "another order");
        const flat::Vector operators = flat::Table::root(bytes, "TFL3").vector(2).table(0).vector(3);
        if (operators.size() != order.size())
            return error("the file has " + std::to_string(operators.size()) + " operators, and the order is of " +
                         std::to_string(order.size()) + ": it is of another form of the file");
        for (size_t i = 0; i < order.size(); ++i) {
            // An offset counts from where it stands, and can't lead backwards.
            const uint64_t from = operators.place() + 4 * uint64_t(order[i].value),
                           to = operators.place() + 4 * uint64_t(i);
            const uint64_t target = from + operators.number<uint32_t>(order[i].value);
            if (target <= to) return error("an operator stands in front of the list of operators");
            const uint32_t offset = uint32_t(target - to);
            std::memcpy(made.data() + to, &offset, sizeof(offset));
        }
        return made;
    } catch (const flat::Fault& fault) {
        return error(fault.message);
    }
}

}  // namespace partita
