#include "engine/lessons/answer_text.h"

#include "engine/exporters/picture.h"

namespace partita {

namespace {

/// Collects the parts of an answer.
class AnswerText {
public:
    AnswerText(const LessonGraph& graph, const AnswerForm& form) : graph_(graph), form_(form) {}

    void add(const std::string& part) {
        if (!part.empty()) text_ += (text_.empty() ? "" : "; ") + part;
    }
    std::string calls(const std::vector<uint32_t>& calls) const {
        std::string text;
        for (uint32_t call : calls) text += (text.empty() ? "" : ", ") + name_of(call);
        return text;
    }
    void add_setting(const std::map<uint32_t, std::string>& backends, const std::vector<std::string>& order) {
        std::string assigned, names;
        const std::string mark = form_.markdown ? "**" : "";
        for (const auto& [call, backend] : backends)
            assigned += (assigned.empty() ? "" : ", ") + name_of(call) + " → " + mark + plain(backend) + mark;
        for (const std::string& backend : order) names += (names.empty() ? "" : ", ") + plain(backend);
        add(assigned);
        if (!names.empty()) add(form_.order + " " + names);
    }
    std::string plain(const std::string& text) const { return form_.markdown ? markdown_text(text) : text; }
    const std::string& text() const { return text_; }

private:
    std::string name_of(uint32_t call) const {
        if (!graph_.has(call)) return "#" + std::to_string(call);
        return plain(expression_name(graph_.module(), graph_.id(call)));
    }

    const LessonGraph& graph_;
    const AnswerForm& form_;
    std::string text_;
};

}  // namespace

std::string answer_text(const LessonAnswer& answer, const LessonQuestion& question, const LessonGraph& graph,
                        const AnswerForm& form) {
    AnswerText text(graph, form);
    text.add(text.calls(answer.calls));
    std::string regions;
    for (const std::vector<uint32_t>& region : answer.regions)
        regions += (regions.empty() ? "{" : ", {") + text.calls(region) + "}";
    text.add(regions);
    text.add_setting(answer.backends, answer.order);
    const bool chosen = answer.number >= 0 && size_t(answer.number) < question.choices.size();
    // Choices are Markdown already.
    if (chosen) text.add(question.choices[size_t(answer.number)]);
    else if (answer.number >= 0) text.add(std::to_string(answer.number));
    text.add(form.markdown && !answer.text.empty() ? "`" + answer.text + "`" : answer.text);
    for (const auto& [backend, rules] : answer.rules)
        for (const auto& [op, rule] : rules)
            text.add(text.plain(op) + ": " + (form.markdown ? "`" + rule + "`" : rule));
    return text.text().empty() ? "—" : text.text();
}

std::string setting_text(const LessonSetting& setting, const LessonGraph& graph, const AnswerForm& form) {
    AnswerText text(graph, form);
    text.add_setting(setting.backends, setting.order);
    return text.text();
}

}  // namespace partita
