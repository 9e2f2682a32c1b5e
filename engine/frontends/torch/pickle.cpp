// Reads the pickles that torch.save writes (pickletools.py has the codes): dictionaries of tensors, of which only the
// places of their storages are taken. Nothing is called; what a pickle would call besides makes it unreadable.
#include <cstring>
#include <deque>
#include <unordered_map>

#include "engine/frontends/torch/weights.h"
#include "engine/support/one_line.h"

namespace partita::torch {

namespace {

/// A value on the pickle's stack.
struct Item {
    enum class Kind : uint8_t { Other, Number, Text, Global, List, Dictionary, Storage, Tensor } kind = Kind::Other;
    int64_t number = 0;
    std::string_view text, module;  ///< of a text; of a global: its name and module
    std::vector<const Item*> items;
    StoredTensor tensor;  ///< of a storage: without a view

    bool is(Kind wanted) const { return kind == wanted; }
};
using ItemKind = Item::Kind;

DataType type_of_storage(std::string_view name) {
    static const std::unordered_map<std::string_view, DataType> types = {
        {"FloatStorage", kFloat32}, {"DoubleStorage", kFloat64},   {"HalfStorage", kFloat16}, {"LongStorage", kInt64},
        {"IntStorage", kInt32},     {"ShortStorage", kInt16},      {"CharStorage", kInt8},    {"ByteStorage", kUInt8},
        {"BoolStorage", kBool},     {"BFloat16Storage", kBFloat16}};
    const auto found = types.find(name);
    return found == types.end() ? kVoid : found->second;
}

class Pickle {
public:
    Pickle(std::string_view bytes, const Archive& archive, std::string root)
        : rest_(bytes), archive_(archive), root_(std::move(root)) {}

    StoredTensors read() {
        while (step(take(1)[0])) {
        }
        StoredTensors tensors;
        const Item& all = *pop();
        for (size_t i = 0; i + 1 < all.items.size() && all.is(ItemKind::Dictionary); i += 2)
            if (all.items[i]->is(ItemKind::Text) && all.items[i + 1]->is(ItemKind::Tensor))
                tensors.emplace(all.items[i]->text, all.items[i + 1]->tensor);
        return tensors;
    }

private:
    [[noreturn]] static void fail(const std::string& why) { throw Refused{why}; }

    std::string_view take(size_t count) {
        if (count > rest_.size()) fail("the pickle is cut off");
        const std::string_view part = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return part;
    }
    uint64_t number(size_t bytes) {
        uint64_t value = 0;
        std::memcpy(&value, take(bytes).data(), bytes);
        return value;
    }
    std::string_view line() {
        const size_t end = rest_.find('\n');
        if (end == std::string_view::npos) fail("the pickle is cut off");
        const std::string_view text = take(end);
        take(1);
        return text;
    }

    Item& push(ItemKind kind = ItemKind::Other) {
        constexpr size_t kMostValues = 4'000'000;
        if (values_.size() == kMostValues) fail("the pickle is too large");
        values_.emplace_back().kind = kind;
        stack_.push_back(&values_.back());
        return values_.back();
    }
    void push_number(int64_t value) { push(ItemKind::Number).number = value; }
    Item* pop() {
        if (stack_.empty() || (!marks_.empty() && marks_.back() == stack_.size())) fail("the pickle is damaged");
        Item* top = stack_.back();
        stack_.pop_back();
        return top;
    }
    std::vector<const Item*> pop_marked() {
        if (marks_.empty() || marks_.back() > stack_.size()) fail("the pickle is damaged");
        std::vector<const Item*> items(stack_.begin() + int64_t(marks_.back()), stack_.end());
        stack_.resize(marks_.back());
        marks_.pop_back();
        return items;
    }
    void add_items(const std::vector<const Item*>& items) {
        Item* to = pop();
        to->items.insert(to->items.end(), items.begin(), items.end());
        stack_.push_back(to);
    }
    void push_list(std::vector<const Item*> items) { push(ItemKind::List).items = std::move(items); }
    void push_last(size_t count) {
        std::vector<const Item*> items(count);
        for (size_t i = count; i-- > 0;) items[i] = pop();
        push_list(std::move(items));
    }
    void remember(uint64_t at) {
        Item* top = pop();
        stack_.push_back(top);
        memo_[at] = top;
    }
    void recall(uint64_t at) {
        const auto found = memo_.find(at);
        if (found == memo_.end()) fail("the pickle is damaged");
        stack_.push_back(found->second);
    }
    void push_global(std::string_view module, std::string_view name) {
        Item& made = push(ItemKind::Global);
        made.module = module;
        made.text = name;
    }

    bool step(char code) {
        switch (code) {
            case '\x80': take(1); break;  // version
            case '\x95': take(8); break;  // frame
            case '}': push(ItemKind::Dictionary); break;
            case ']':
            case ')': push(ItemKind::List); break;
            case '(': marks_.push_back(stack_.size()); break;
            case 'X': push(ItemKind::Text).text = take(number(4)); break;
            case '\x8c':
            case 'U': push(ItemKind::Text).text = take(number(1)); break;
            case 'q': remember(number(1)); break;
            case 'r': remember(number(4)); break;
            case '\x94': remember(memo_.size()); break;
            case 'h': recall(number(1)); break;
            case 'j': recall(number(4)); break;
            case 'c': {
                const std::string_view module = line();
                push_global(module, line());
                break;
            }
            case '\x93': {
                const Item *name = pop(), *module = pop();
                push_global(module->text, name->text);
                break;
            }
            case 't': push_list(pop_marked()); break;
            case '\x85': push_last(1); break;
            case '\x86': push_last(2); break;
            case '\x87': push_last(3); break;
            case 'J': push_number(int32_t(number(4))); break;
            case 'K': push_number(int64_t(number(1))); break;
            case 'M': push_number(int64_t(number(2))); break;
            case '\x8a': push_long(); break;
            case 'G': take(8), push(); break;
            case 'N': push(); break;
            case '\x88': push_number(1); break;
            case '\x89': push_number(0); break;
            case 's': {
                const Item *value = pop(), *key = pop();
                add_items({key, value});
                break;
            }
            case 'a': {
                const Item* value = pop();
                add_items({value});
                break;
            }
            case 'u':
            case 'e': add_items(pop_marked()); break;
            case 'b': pop(); break;  // a state beside the items of a dictionary
            case '0': pop(); break;
            case '1': pop_marked(); break;
            case 'Q': push_storage(*pop()); break;
            case 'R': {
                const Item *arguments = pop(), *callee = pop();
                reduce(*callee, *arguments);
                break;
            }
            case '.': return false;
            default:
                fail("the pickle has the code " + std::to_string(uint8_t(code)) + ", which torch.save does not use");
        }
        return true;
    }

    void push_long() {
        const std::string_view bytes = take(number(1));
        int64_t value = !bytes.empty() && (bytes.back() & 0x80) ? -1 : 0;
        std::memcpy(&value, bytes.data(), std::min<size_t>(bytes.size(), 8));
        push_number(value);
    }

    static const Item& item(const Item& list, size_t i, ItemKind kind) {
        if (i >= list.items.size() || !list.items[i]->is(kind)) fail("the pickle is of another form");
        return *list.items[i];
    }
    static std::vector<int64_t> numbers(const Item& list) {
        std::vector<int64_t> read;
        for (size_t i = 0; i < list.items.size(); ++i) read.push_back(item(list, i, ItemKind::Number).number);
        return read;
    }

    /// ('storage', class, key, device, number of elements)
    void push_storage(const Item& id) {
        const Item &type = item(id, 1, ItemKind::Global), &key = item(id, 2, ItemKind::Text);
        Item& made = push(ItemKind::Storage);
        made.tensor.dtype = type_of_storage(type.text);
        const Member* member = archive_.find(root_ + "data/" + std::string(key.text));
        if (!member) made.tensor.fault = "its storage " + in_quotes(key.text) + " is missing";
        else if (!member->is_stored()) made.tensor.fault = "its storage is compressed";
        else if (made.tensor.dtype.is_void()) made.tensor.fault = "its type " + in_quotes(type.text) + " is not known";
        else made.tensor.place = member->place, made.tensor.bytes = member->size;
    }

    void reduce(const Item& callee, const Item& arguments) {
        if (!callee.is(ItemKind::Global)) fail("the pickle calls what is no function");
        const std::string name = std::string(callee.module) + "." + std::string(callee.text);
        if (name == "collections.OrderedDict") {
            push(ItemKind::Dictionary);
        } else if (name == "torch.device") {
            push();
        } else if (name == "torch._utils._rebuild_tensor_v2") {
            StoredTensor tensor = item(arguments, 0, ItemKind::Storage).tensor;
            tensor.offset = item(arguments, 1, ItemKind::Number).number;
            tensor.shape = numbers(item(arguments, 2, ItemKind::List));
            tensor.strides = numbers(item(arguments, 3, ItemKind::List));
            push(ItemKind::Tensor).tensor = std::move(tensor);
        } else if (name == "torch._utils._rebuild_parameter") {
            push(ItemKind::Tensor).tensor = item(arguments, 0, ItemKind::Tensor).tensor;
        } else if (name == "torch._export.serde.serialize._reconstruct_fake_tensor") {
            push(ItemKind::Tensor).tensor.fault = "it was exported without values";
        } else {
            fail("the pickle calls " + on_one_line(name) + ", and pickles are not run");
        }
    }

    std::string_view rest_;
    const Archive& archive_;
    std::string root_;
    std::deque<Item> values_;
    std::vector<Item*> stack_;
    std::vector<size_t> marks_;
    std::unordered_map<uint64_t, Item*> memo_;
};

}  // namespace

Result<StoredTensors> read_pickle(std::string_view pickle, const Archive& archive, const std::string& root) {
    try {
        return Pickle(pickle, archive, root).read();
    } catch (const Refused& refused) {
        return error(refused.message);
    }
}

}  // namespace partita::torch
