#include "engine/ops/normalization_c.h"

#include "engine/ops/c_writer.h"

namespace partita {

namespace {

class NormalizationWriter {
public:
    NormalizationWriter(const CLoops& loops, const std::vector<NormalizationAxis>& axes)
        : loops_(loops), axes_(axes), strides_(axes.size(), 1), code_(loops.code, loops.indent) {
        for (size_t d = axes.size(); d-- > 0;) {
            if (d + 1 < axes.size()) strides_[d] = strides_[d + 1] * axes[d + 1].extent;
            if (axes[d].reduced) count_ *= axes[d].extent;
        }
    }

    void write(NormalizationKind kind, double epsilon) {
        DataType dtype = loops_.inputs[0].dtype;
        std::string type = c_type(dtype), data = loops_.inputs[0].name + "[" + place() + "]";
        std::string limit = c_constant(kFloat64, double(float(epsilon)));
        bool standardize = kind == NormalizationKind::Standardize;
        code_.open("");
        open(false);
        code_.line("double sum = 0, squares = 0;");
        if (standardize) {
            open(true);
            code_.line("sum += (double)" + data + ";");
            close(true);
        }
        code_.line("const double mean = sum / " + std::to_string(std::max<int64_t>(count_, 1)) + ";");
        open(true);
        code_.line("const double d = (double)" + data + " - mean;");
        code_.line("squares += d * d;");
        close(true);
        std::string under_root = kind != NormalizationKind::UnitLength
                                     ? "squares / " + std::to_string(std::max<int64_t>(count_, 1)) + " + " + limit
                                     : "squares < " + limit + " ? " + limit + " : squares";  // NaN stays
        code_.line("const double factor = 1 / sqrt(" + under_root + ");");
        open(true);
        std::string value = "((double)" + data + " - mean) * factor";
        const size_t inputs = loops_.inputs.size();
        if (inputs == 2 || (inputs == 3 && loops_.attributes.boolean("scale")))
            value += " * (double)" + loops_.inputs[1].name + "[" + channel() + "]";
        if (inputs == 3 && loops_.attributes.boolean("center"))
            value += " + (double)" + loops_.inputs[2].name + "[" + channel() + "]";
        code_.line(loops_.outputs[0].name + "[" + place() + "] = (" + type + ")(" + value + ");");
        close(true);
        close(false);
        code_.close();
    }

private:
    static std::string variable(size_t axis) { return "i" + std::to_string(axis); }

    void open(bool reduced) {
        for (size_t d = 0; d < axes_.size(); ++d)
            if (axes_[d].reduced == reduced) code_.open_loop(variable(d), axes_[d].extent);
    }
    void close(bool reduced) {
        for (const NormalizationAxis& axis : axes_)
            if (axis.reduced == reduced) code_.close();
    }
    static void add_term(std::string& text, size_t axis, int64_t factor) {
        if (factor == 0) return;
        text += (text.empty() ? "" : " + ") + variable(axis) + (factor == 1 ? "" : " * " + std::to_string(factor));
    }
    std::string place() const {
        std::string text;
        for (size_t d = 0; d < axes_.size(); ++d) add_term(text, d, strides_[d]);
        return text.empty() ? "0" : text;
    }
    std::string channel() const {
        std::string text;
        for (size_t d = 0; d < axes_.size(); ++d) add_term(text, d, axes_[d].channel_stride);
        return text.empty() ? "0" : text;
    }

    const CLoops& loops_;
    const std::vector<NormalizationAxis>& axes_;
    std::vector<int64_t> strides_;
    int64_t count_ = 1;
    CWriter code_;
};

}  // namespace

Status write_normalization_in_c(const CLoops& loops, const std::vector<NormalizationAxis>& axes, NormalizationKind kind,
                                double epsilon) {
    DataType dtype = loops.inputs[0].dtype;
    if (dtype != kFloat32 && dtype != kFloat64)
        return error(loops.attributes.op().name + " of " + dtype.to_string() + " can't be written in C");
    NormalizationWriter(loops, axes).write(kind, epsilon);
    return Nothing();
}

}  // namespace partita
