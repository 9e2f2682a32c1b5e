// The room in which a graph shall be read at first sight: what is grouped, folded or put in columns follows from it.
#pragma once

#include <algorithm>

#include <QSizeF>

namespace partita {

/// The part of a canvas that a fitted graph fills, in units of the graph: pixels over the size of type.
struct ReadingRoom {
    QSizeF size{668, 290};  ///< of a window of 1280 x 800 with its panels

    /// How large a picture is where all of it is in sight, 1 being its own size.
    double scaleOf(const QSizeF& picture) const {
        return std::min(size.width() / std::max(1.0, picture.width()), size.height() / std::max(1.0, picture.height()));
    }
    /// Whether another room is so much larger or smaller that other choices may be right.
    bool isUnlike(const ReadingRoom& other) const {
        constexpr double kMuch = 1.15;
        const auto unlike = [](double a, double b) { return std::max(a, b) > kMuch * std::min(a, b); };
        return unlike(size.width(), other.size.width()) || unlike(size.height(), other.size.height());
    }
};

/// All that a node says can be read where a graph is this large.
inline constexpr double kReadable = 0.6;
/// Names are ten pixels high: a graph that is smaller as a whole is put in columns, or shown by its blocks.
inline constexpr double kNamesRead = 0.75;
/// And with ease where it is this large: what is folded or put in columns at first sight is made to reach that.
inline constexpr double kReadWithEase = 0.9;

}  // namespace partita
