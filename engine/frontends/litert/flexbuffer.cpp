// Reads the options of custom operators and composites: a flexbuffer (flatbuffers.dev/internals#flexbuffers) whose root
// is a map of numbers, texts and lists of numbers. Deeper values are named without what is in them.
#include <cstring>

#include "engine/frontends/litert/schema.h"

namespace partita::litert {

namespace {

constexpr size_t kMostKeys = 200, kMostElements = 1000, kLongestText = 1000;

/// The kinds of values, by their numbers in the format.
enum Kind : uint8_t {
    kNull = 0,
    kInteger = 1,
    kUnsigned = 2,
    kReal = 3,
    kKey = 4,
    kString = 5,
    kFirstIndirect = 6,
    kMap = 9,
    kVector = 10,
    kFirstTyped = 11,
    kLastTyped = 13,
    kFirstFixed = 16,
    kLastFixed = 24,
    kTruth = 26,
    kTruths = 36,
};

/// Thrown where the bytes are no flexbuffer.
struct NoFlexbuffer {};

/// A value: where it stands, how many bytes it takes there, its kind, and the width of what it leads to.
struct Value {
    size_t place;
    size_t width;
    uint8_t kind;
    size_t child_width;
};

class FlexReader {
public:
    explicit FlexReader(std::string_view bytes) : bytes_(bytes) {}

    std::vector<Option> read() const {
        if (bytes_.size() < 3) throw NoFlexbuffer();
        const Value root = value(bytes_.size() - 2 - width(uint8_t(bytes_.back())), width(uint8_t(bytes_.back())),
                                 uint8_t(bytes_[bytes_.size() - 2]));
        if (root.kind != kMap) throw NoFlexbuffer();
        const size_t values = target(root), own = root.child_width;
        const size_t count = unsigned_at(before(values, own), own);
        const Value key_list{before(values, 3 * own), own, kVector, width(unsigned_at(before(values, 2 * own), own))};
        const size_t keys = target(key_list);
        if (count > kMostKeys || count > bytes_.size()) throw NoFlexbuffer();
        std::vector<Option> options;
        for (size_t i = 0; i < count; ++i) {
            const Value key{keys + i * key_list.child_width, key_list.child_width, kKey, 1};
            const uint8_t packed = uint8_t(unsigned_at(values + count * own + i, 1));
            options.push_back(option(text_from(target(key)), value(values + i * own, own, packed)));
        }
        return options;
    }

private:
    static size_t width(uint64_t bytes) {
        if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) throw NoFlexbuffer();
        return bytes;
    }
    static size_t before(size_t place, size_t bytes) {
        if (place < bytes) throw NoFlexbuffer();
        return place - bytes;
    }
    static Value value(size_t place, size_t own_width, uint8_t packed) {
        return {place, own_width, uint8_t(packed >> 2), size_t(1) << (packed & 3)};
    }

    uint64_t unsigned_at(size_t place, size_t bytes) const {
        if (place > bytes_.size() || bytes > bytes_.size() - place) throw NoFlexbuffer();
        uint64_t number = 0;
        std::memcpy(&number, bytes_.data() + place, bytes);
        return number;
    }
    int64_t signed_at(size_t place, size_t bytes) const {
        const int unused = 64 - 8 * int(bytes);
        return int64_t(unsigned_at(place, bytes) << unused) >> unused;
    }
    double real_at(size_t place, size_t bytes) const {
        const uint64_t bits = unsigned_at(place, bytes);
        if (bytes == 8) {
            double real;
            std::memcpy(&real, &bits, sizeof(real));
            return real;
        }
        if (bytes != 4) throw NoFlexbuffer();
        float real;
        std::memcpy(&real, &bits, sizeof(real));
        return double(real);
    }
    size_t target(const Value& from) const { return before(from.place, unsigned_at(from.place, from.width)); }

    std::string text_from(size_t place) const {
        const std::string_view rest = bytes_.substr(std::min(place, bytes_.size()));
        const size_t end = rest.find('\0');
        if (end == std::string_view::npos) throw NoFlexbuffer();
        return std::string(rest.substr(0, std::min(end, kLongestText)));
    }

    void add_number(Option& to, uint8_t kind, size_t place, size_t bytes) const {
        if (kind == kReal) to.reals.push_back(real_at(place, bytes));
        else if (kind == kInteger) to.integers.push_back(signed_at(place, bytes));
        else to.integers.push_back(int64_t(unsigned_at(place, bytes)));
    }

    Option option(std::string key, const Value& from) const {
        Option made{std::move(key), "int", {}, {}, {}};
        const uint8_t kind = from.kind;
        if (kind == kString || kind == kKey) {
            made.type = "string";
            made.texts = {text_from(target(from))};
        } else if (kind == kInteger || kind == kUnsigned || kind == kReal || kind == kTruth) {
            made.type = kind == kReal ? "float" : kind == kTruth ? "bool" : "int";
            add_number(made, kind, from.place, from.width);
        } else if (kind >= kFirstIndirect && kind < kMap) {
            add_number(made, uint8_t(kind - kFirstIndirect + kInteger), target(from), from.child_width);
            made.type = made.reals.empty() ? "int" : "float";
        } else if (kind == kTruths || (kind >= kFirstTyped && kind <= kLastTyped)) {
            const size_t place = target(from);
            const size_t count = unsigned_at(before(place, from.child_width), from.child_width);
            add_numbers(made, uint8_t(kind == kTruths ? kTruth : kind - kFirstTyped + kInteger), place, count,
                        from.child_width);
        } else if (kind >= kFirstFixed && kind <= kLastFixed) {
            const int fixed = kind - kFirstFixed;
            add_numbers(made, uint8_t(fixed % 3 + kInteger), target(from), size_t(fixed / 3 + 2), from.child_width);
        } else made.type = kind == kMap ? "map" : kind == kVector ? "list" : kind == kNull ? "null" : "bytes";
        return made;
    }

    void add_numbers(Option& to, uint8_t kind, size_t place, size_t count, size_t bytes) const {
        to.type = kind == kReal ? "[float]" : "[int]";
        for (size_t i = 0; i < std::min(count, kMostElements); ++i) add_number(to, kind, place + i * bytes, bytes);
    }

    std::string_view bytes_;
};

}  // namespace

Options read_custom_options(std::string_view bytes) {
    Options options;
    options.given = !bytes.empty();
    if (bytes.empty()) return options;
    try {
        options.list = FlexReader(bytes).read();
        options.name = "Flexbuffer";
    } catch (const NoFlexbuffer&) {
        options.list = {{"bytes", "int", {int64_t(bytes.size())}, {}, {}}};
    }
    return options;
}

}  // namespace partita::litert
