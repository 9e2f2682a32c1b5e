// Asks what explains the document's flow without holding the window up: of a small module at once, of a large one, and
// where rules are asked of an annotator, in a job.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "app/gui/document/document.h"
#include "engine/explain/explain.h"

namespace partita {

/// What explains one flow, with the descriptions that it was made with. Any thread may ask; one is served at a time.
class FlowExplanations {
public:
    FlowExplanations(FlowPtr flow, std::vector<BackendDescription> backends)
        : flow_(std::move(flow)), backends_(std::move(backends)) {}

    const FlowPtr& flow() const { return flow_; }
    /// Whether an answer takes less than a frame: nothing asks an annotator, and a large module was walked over before.
    bool answersAtOnce() const;
    /// The first call costs a walk over the module. Annotators that it asks end with `cancel`.
    template <class Ask>
    auto ask(const Ask& question, const CancelToken& cancel) {
        const std::lock_guard lock(mutex_);
        if (!explainer_) explainer_.emplace(*flow_, backends_);
        explainer_->set_cancel(cancel);
        return question(*explainer_);
    }

private:
    const FlowPtr flow_;
    const std::vector<BackendDescription> backends_;
    mutable std::mutex mutex_;
    std::optional<FlowExplainer> explainer_;
};

/// The questions of one panel: a new one takes the place of the one that is not answered yet.
class FlowQuestions {
public:
    enum class Asked { Nothing, Answered, Waiting };  ///< nothing: the flow is none, or no longer the document's

    /// Answers go to a living `receiver` only.
    FlowQuestions(Document& document, QObject& receiver) : document_(document), receiver_(receiver) {}
    /// `answered` is called before this returns, or on the window's thread when the answer is there and the flow is
    /// still the same. The question may run on a worker.
    template <class T>
    Asked ask(const QString& title, std::function<T(FlowExplainer&)> question, std::function<void(T)> answered) {
        cancel();
        if (!prepare()) return Asked::Nothing;
        if (explanations_->answersAtOnce()) {
            answered(explanations_->ask(question, CancelToken()));
            return Asked::Answered;
        }
        job_ = document_.jobs().start<T>(
            title, &receiver_,
            [explanations = explanations_, question = std::move(question)](const JobContext& context) {
                return explanations->ask(question, context.cancel);
            },
            [this, flow = explanations_->flow(), answered = std::move(answered)](T answer) {
                job_ = 0;
                if (flow == document_.flow()) answered(std::move(answer));
            });
        return Asked::Waiting;
    }
    void cancel();

private:
    /// Whether there is something to ask.
    bool prepare();

    Document& document_;
    QObject& receiver_;
    std::shared_ptr<FlowExplanations> explanations_;
    quint64 job_ = 0;
};

/// Modules up to this size are explained at once; for larger ones a worker makes the explainer.
inline constexpr size_t kExplainedAtOnce = 20000;

}  // namespace partita
