// Which runs of a measurement warm up, which count, and when there are enough of them. Either as many as were asked
// for, or, steadily: until the machine is warm and the medians of parts of the measurement agree.
//
// A steady measurement of work of a microsecond lasts a fifth of a second: a processor needs that long to change its
// frequency, and samples taken close together all share one frequency. Constant time for each turn.
#pragma once

#include <vector>

namespace partita {

class MeasuringTurns {
public:
    /// `warmup` and `repeat` are exact, or the fewest of a steady measurement.
    MeasuringTurns(int warmup, int repeat, bool steady);

    /// Returns whether another run is needed.
    bool more() const { return !done_; }
    /// Returns whether the next run counts; others warm up, or pass the time between two blocks of counted runs.
    bool counts() const { return warm_ && !resting_; }
    /// Returns whether the next run is known to be the last one.
    bool last() const { return !steady_ && warm_ && measured_ + 1 >= repeat_; }
    /// Returns whether a block of a steady measurement begins: time for the yardstick.
    bool begins_block() const { return steady_ && warm_ && !done_ && phase_ms_ == 0; }
    /// Takes the duration of the run that was made.
    void took(double ms);

    int warmups() const { return warmups_; }
    int measured() const { return measured_; }
    /// Returns the part that is done, from 0 to 1.
    double fraction() const;

private:
    void warmed();
    void counted(double ms);
    void end_block();

    const int warmup_, repeat_;
    const bool steady_;
    bool warm_, resting_ = false, done_ = false;
    int warmups_ = 0, measured_ = 0;
    double phase_ms_ = 0;          ///< since the warm-up or the block began
    double measuring_ms_ = 0;      ///< since the warm-up ended
    std::vector<double> block_;    ///< times of the block
    std::vector<double> medians_;  ///< of the blocks before
};

}  // namespace partita
