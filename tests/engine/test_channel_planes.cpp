// Layouts of images on the backend dnnl: the own kernels that change them, and values whose planes are not in order, in
// random nets of shuffles, splits and convolutions in groups, against `default`.
#include <QtTest>

#include <numeric>
#include <random>

#include "engine/ops/channel_blocks.h"
#include "engine/ops/vector_units.h"
#include "tests/engine/guarded_memory.h"
#include "tests/engine/older_processors.h"
#include "tests/engine/run_on_dnnl.h"

namespace test_channel_planes {

using namespace partita;

namespace {

/// Where an element of a channel is in the layout.
size_t place_in(const ChannelBlocks& shape, int64_t image, int64_t channel, int64_t element) {
    if (shape.last) return size_t((image * shape.plane + element) * shape.channels + channel);
    const int64_t block = image * shape.blocks() + channel / shape.lanes;
    return size_t((block * shape.plane + element) * shape.lanes + channel % shape.lanes);
}

/// Images with a name for each value; the steps that make them are written as they are drawn.
class RandomNet {
public:
    explicit RandomNet(uint32_t seed) : random_(seed) {
        batch_ = below(4) == 0 ? 2 : 1;
        high_ = 2 + below(6), wide_ = 2 + below(6);
        const int64_t channels = 4 * (1 + below(12));
        text_ = "%x: Tensor[" + shape(channels) + ", float32]) {\n";
        values_.push_back({"%x", channels});
        for (int64_t i = 4 + below(8); i > 0; --i) add_step();
        text_ += "  (" + values_.back().name;
        for (int i = 0; i < 2; ++i) text_ += ", " + drawn().name;
        text_ += ")\n}\n";
    }
    const std::string& text() const { return text_; }

private:
    struct Image {
        std::string name;
        int64_t channels;
    };

    int64_t below(int64_t limit) { return int64_t(random_() % uint64_t(limit)); }
    Image drawn() { return values_[size_t(std::max<int64_t>(0, int64_t(values_.size()) - 1 - below(3)))]; }
    std::string shape(int64_t channels) const {
        return "(" + std::to_string(batch_) + ", " + std::to_string(channels) + ", " + std::to_string(high_) + ", " +
               std::to_string(wide_) + ")";
    }
    std::string define(const std::string& made) {
        text_ += "  %" + std::to_string(names_) + " = " + made + ";\n";
        return "%" + std::to_string(names_++);
    }
    void add(const std::string& made, int64_t channels) { values_.push_back({define(made), channels}); }
    std::string weights(int64_t first, int64_t second, int64_t size) {
        const std::string count = std::to_string(first * second * size * size), window = std::to_string(size);
        return "reshape(multiply(subtract(floor_mod(cumsum(full(" + std::to_string(31 + 2 * below(8)) + "f, shape=[" +
               count + "], dtype=\"float32\"), axis=0), 101f), 50f), 0.0078125f), newshape=[" + std::to_string(first) +
               ", " + std::to_string(second) + ", " + window + ", " + window + "])";
    }
    int64_t divisor(int64_t number) {
        std::vector<int64_t> all;
        for (int64_t d = 1; d <= number; ++d)
            if (number % d == 0) all.push_back(d);
        return all[size_t(below(int64_t(all.size())))];
    }

    void add_step() {
        const Image image = drawn();
        switch (below(8)) {
            case 0:
            case 1: return shuffle(image);
            case 2: return split(image);
            case 3: return concatenate(image, drawn());
            case 4: return convolve(image, image.channels, 3);
            case 5: return convolve(image, divisor(image.channels), below(2) ? 1 : 3);
            case 6: return add("nn.relu(" + image.name + ")", image.channels);
            default: return add("add(" + image.name + ", " + image.name + ")", image.channels);
        }
    }
    void concatenate(const Image& image, const Image& other) {
        const int64_t channels = image.channels + other.channels;
        if (channels < 400) add("concatenate((" + image.name + ", " + other.name + "), axis=1)", channels);
    }
    void shuffle(const Image& image) {
        const int64_t groups = divisor(image.channels);
        const std::string batch = std::to_string(batch_), rest = std::to_string(image.channels / groups);
        const std::string plane = std::to_string(high_) + ", " + std::to_string(wide_);
        const std::string parts = define("reshape(" + image.name + ", newshape=[" + batch + ", " +
                                         std::to_string(groups) + ", " + rest + ", " + plane + "])");
        const std::string turned = define("transpose(" + parts + ", axes=[0, 2, 1, 3, 4])");
        add("reshape(" + turned + ", newshape=[" + batch + ", " + std::to_string(image.channels) + ", " + plane + "])",
            image.channels);
    }
    void split(const Image& image) {
        if (image.channels < 2) return;
        const int64_t first = 1 + below(image.channels - 1);
        const std::string parts =
            define("split(" + image.name + ", indices_or_sections=[" + std::to_string(first) + "], axis=1)");
        add(parts + ".0", first);
        add(parts + ".1", image.channels - first);
    }
    void convolve(const Image& image, int64_t groups, int64_t size) {
        const int64_t made = groups == image.channels ? groups : groups * (1 + below(400 / groups > 20 ? 20 : 1));
        const std::string edge = std::to_string(size / 2), window = std::to_string(size);
        const std::string weight = define(weights(made, image.channels / groups, size));
        const std::string convolved = "nn.conv2d(" + image.name + ", " + weight + ", padding=[" + edge + ", " + edge +
                                      ", " + edge + ", " + edge + "], groups=" + std::to_string(groups) +
                                      ", channels=" + std::to_string(made) + ", kernel_size=[" + window + ", " +
                                      window + "])";
        const std::string name = define(convolved);
        add(below(2) ? "nn.relu(" + name + ")" : "clip(" + name + ", a_min=-3f, a_max=3f)", made);
    }

    std::mt19937 random_;
    std::string text_;
    std::vector<Image> values_;
    int64_t batch_ = 1, high_ = 1, wide_ = 1;
    int names_ = 0;
};

}  // namespace

class TestChannelPlanes : public QObject {
    Q_OBJECT

private slots:
    void changesMoveEachElement() {
        std::mt19937 random(5);
        const auto below = [&](int most) { return 1 + int64_t(random() % unsigned(most)); };
        if (vector_unit() == VectorUnit::Baseline) QSKIP("this is the older unit: it has no such kernels");
        for (int round = 0; round < 200; ++round) {
            const int64_t lanes = vector_unit() == VectorUnit::Avx512 && round % 2 ? 16 : 8, images = below(3);
            ChannelBlocks shape{below(70), below(round % 3 ? 40 : 300), lanes, round % 4 > 1};
            if (shape.last) shape.channels += lanes - 1;
            std::vector<int64_t> order(size_t(images * shape.channels));
            std::iota(order.begin(), order.end(), 0);
            if (round % 5) std::shuffle(order.begin(), order.end(), random);
            std::vector<float> planes(order.size() * size_t(shape.plane));
            std::iota(planes.begin(), planes.end(), 1.0F);
            std::vector<float> blocks(
                place_in(shape, images - 1, shape.last ? shape.channels - 1 : 0, shape.plane - 1) + 1);
            if (!shape.last) blocks.resize(size_t(images * shape.blocks() * shape.plane * lanes));
            std::vector<float> wanted(blocks.size()), back(planes.size());
            const auto each = [&](const auto& body) {
                for (int64_t n = 0; n < images; ++n)
                    for (int64_t c = 0; c < shape.channels; ++c)
                        for (int64_t i = 0; i < shape.plane; ++i)
                            body(size_t((n * shape.channels + c)), size_t(i), place_in(shape, n, c, i));
            };
            each([&](size_t channel, size_t i, size_t place) {
                wanted[place] = planes[size_t(order[channel]) * size_t(shape.plane) + i];
            });
            testing::GuardedMemory given(planes.size() * sizeof(float)), made(blocks.size() * sizeof(float)),
                returned(back.size() * sizeof(float));
            const auto* from = reinterpret_cast<const float*>(given.put(planes.data(), planes.size() * sizeof(float)));
            auto* to = reinterpret_cast<float*>(made.put(blocks.data(), blocks.size() * sizeof(float)));
            auto* again = reinterpret_cast<float*>(returned.put(back.data(), back.size() * sizeof(float)));
            const int64_t count = images * shape.parts(), half = count / 2;
            const std::span<const int64_t> given_order =
                round % 5 ? std::span<const int64_t>(order) : std::span<const int64_t>();
            planes_to_blocks(shape, from, given_order, to, 0, half);
            planes_to_blocks(shape, from, given_order, to, half, count);
            QVERIFY(std::equal(wanted.begin(), wanted.end(), to));
            blocks_to_planes(shape, to, again, half, count);
            blocks_to_planes(shape, to, again, 0, half);
            each([&](size_t channel, size_t i, size_t) {
                back[channel * size_t(shape.plane) + i] = planes[size_t(order[channel]) * size_t(shape.plane) + i];
            });
            QVERIFY(std::equal(back.begin(), back.end(), again));
        }
    }

    void randomNetsAreAsOnDefault() {
        for (uint32_t seed = 1; seed <= 150; ++seed) {
            const std::string text = RandomNet(seed).text();
            const RunReport report = run_on_dnnl(text, 1 + int(seed % 2));
            QCOMPARE(report.differences.size(), size_t(3));
            for (const OutputDifference& difference : report.differences)
                QVERIFY2(difference.within_tolerance,
                         qPrintable(QString("seed %1: %2\n").arg(seed).arg(difference.max_abs_error) + text.c_str()));
        }
    }

    /// A shuffled value that is a result, is used by what needs it in order, and by convolutions in blocks.
    void oneShuffleForSeveral() {
        const char* text = R"(%x: Tensor[(1, 24, 6, 7), float32]) {
  %0 = reshape(multiply(subtract(floor_mod(cumsum(full(37f, shape=[216], dtype="float32"), axis=0), 101f), 50f),
    0.015625f), newshape=[24, 1, 3, 3]);
  %1 = nn.conv2d(%x, %0, padding=[1, 1, 1, 1], groups=24, channels=24, kernel_size=[3, 3]);
  %2 = transpose(reshape(%1, newshape=[1, 3, 8, 6, 7]), axes=[0, 2, 1, 3, 4]);
  %3 = reshape(%2, newshape=[1, 24, 6, 7]);
  %4 = nn.conv2d(%3, %0, padding=[1, 1, 1, 1], groups=24, channels=24, kernel_size=[3, 3]);
  %5 = add(%3, %1);
  %6 = transpose(%2, axes=[0, 1, 2, 4, 3]);
  %7 = reshape(%2, newshape=[6, 28, 6]);
  (%3, %4, %5, %2, %6, %7, transpose(%2, axes=[1, 0, 2, 3, 4]))
}
)";
        for (const int threads : {1, 2}) {
            const RunReport report = run_on_dnnl(text, threads);
            QCOMPARE(report.differences.size(), size_t(7));
            for (const OutputDifference& difference : report.differences) QVERIFY(difference.max_abs_error < 1e-5);
        }
    }

    /// Planes that are not those of the result's channels: of rows, of whole images, and of parts of several channels.
    void planesOfOtherThanChannels_data() {
        QTest::addColumn<QString>("turned");
        QTest::newRow("rows") << "transpose(%1, axes=[0, 2, 1, 3])";
        QTest::newRow("images") << "transpose(reshape(%1, newshape=[2, 3, 16, 8, 20]), axes=[1, 0, 2, 3, 4])";
        QTest::newRow("images as channels") << "transpose(reshape(%1, newshape=[2, 3, 16, 160]), axes=[1, 0, 2, 3])";
    }
    void planesOfOtherThanChannels() {
        QFETCH(QString, turned);
        const std::string text = R"(%x: Tensor[(2, 24, 16, 20), float32]) {
  %0 = reshape(multiply(subtract(floor_mod(cumsum(full(37f, shape=[216], dtype="float32"), axis=0), 101f), 50f),
    0.015625f), newshape=[24, 1, 3, 3]);
  %1 = nn.conv2d(%x, %0, padding=[1, 1, 1, 1], groups=24, channels=24, kernel_size=[3, 3]);
  %2 = )" + turned.toStdString() +
                                 R"(;
  %3 = reshape(%2, newshape=[6, 16, 8, 20]);
  %4 = reshape(multiply(subtract(floor_mod(cumsum(full(41f, shape=[144], dtype="float32"), axis=0), 97f), 50f),
    0.015625f), newshape=[16, 1, 3, 3]);
  nn.conv2d(%3, %4, padding=[1, 1, 1, 1], groups=16, channels=16, kernel_size=[3, 3])
}
)";
        const RunReport report = run_on_dnnl(text, 2);
        QVERIFY(report.differences.at(0).max_abs_error < 1e-5);
    }

    void olderProcessorsComputeTheSame_data() { testing::name_older_vector_units(); }
    void olderProcessorsComputeTheSame() { testing::pass_on_older_unit(); }
};

PARTITA_TEST(TestChannelPlanes)

}  // namespace test_channel_planes

#include "test_channel_planes.moc"
