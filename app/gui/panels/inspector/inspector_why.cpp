#include "app/gui/panels/inspector/inspector_why.h"

#include "app/gui/panels/inspector/inspector_text.h"

#include <algorithm>

#include <QCoreApplication>
#include <QStringList>
#include <QUrl>

#include "app/gui/style/language.h"
#include "engine/explain/explain.h"
#include "engine/flow/region_names.h"
#include "engine/ops/registry.h"
#include "engine/support/sentence.h"

namespace partita {

namespace {

constexpr int kShownTerms = 24;
constexpr int kShownNeighbours = 12;
constexpr size_t kShownOfPath = 14;
constexpr int kShownPatterns = 8;

class WhyWriter {
    Q_DECLARE_TR_FUNCTIONS(Inspector)

public:
    WhyWriter(FlowExplainer& explainer, const WhySubject& subject, const Theme& theme)
        : subject_(subject), explainer_(explainer), flow_(*subject.flow), theme_(theme) {}

    WhyText write() {
        const ExprId id = subject_.id;
        if (id.value >= flow_.backend_of.size()) return {};
        if (flow_.input->kind(id) == ExprKind::Call) write_call(id);
        else write_other(id);
        out_ = &text_.more;
        if (flow_.region_of[id.value] >= 0) write_neighbours(flow_.region_of[id.value]);
        return std::move(text_);
    }

private:
    QString link(ExprId id) const { return link(id, escaped(explainer_.names().name(id))); }
    static QString link(ExprId id, const QString& words) {
        return id.valid() ? QStringLiteral("<a href='expr:%1'>%2</a>").arg(id.value).arg(words) : words;
    }
    /// A rule or pattern, as a link to its text.
    static QString rule_link(const CallCause& cause, const QString& scheme, const std::string& name,
                             const QString& words) {
        return QStringLiteral("<a href='%1:%2/%3'>%4</a>")
            .arg(scheme)
            .arg(cause.backend)
            .arg(QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(name))), words);
    }
    QString refused(const QString& words) const {
        return QStringLiteral("<span style='color:%1'>%2</span>").arg(theme_.refused.name(), words);
    }
    void paragraph(const QString& words) {
        *out_ += QStringLiteral("<p style='margin-top:6px; margin-bottom:0'>%1</p>").arg(words);
    }
    void indented(const QString& words) {
        *out_ += QStringLiteral("<p style='margin-top:2px; margin-bottom:0; margin-left:14px'>%1</p>").arg(words);
    }

    void heading(const QString& words) { *out_ += QStringLiteral("<h3>%1</h3>").arg(words); }

    void write_other(ExprId id) {
        const int backend = flow_.backend_of[id.value];
        paragraph(backend >= 0
                      ? tr("It goes to %1, where its operands go.").arg(escaped(explainer_.backend_name(backend)))
                      : tr("Rules apply to calls only."));
    }

    void write_call(ExprId id) {
        if (subject_.annotated) return paragraph(tr("The file's own annotations say so."));
        const CallExplanation explanation = explainer_.explain_call(id);
        if (const OpRecord* op = called_op_record(*flow_.input, id)) op_ = op->name;
        const bool asked = subject_.asked;
        const bool taken = explanation.backend >= 0;
        for (const CallCause& cause : explanation.causes)
            if ((asked && !(taken && cause.kind == CallCause::Kind::PatternFailed)) ||
                cause.kind == CallCause::Kind::Overridden || cause.kind == CallCause::Kind::ByCost ||
                cause.kind == CallCause::Kind::SizeLimit || cause.kind == CallCause::Kind::Partitioner)
                write_cause(cause, explanation);
        if (asked && taken) write_patterns_in_vain(explanation);
        if (asked) write_places(explanation);
        if (!asked)
            paragraph(QStringLiteral("<span class='m'>%1</span>")
                          .arg(tr("Rules were not asked: annotate lets them decide.")));
        else if (!subject_.backends) paragraph(tr("No backend is chosen."));
    }

    /// Of a call that a rule takes: nobody waits for these.
    void write_patterns_in_vain(const CallExplanation& explanation) {
        out_ = &text_.more;
        for (const CallCause& cause : explanation.causes) {
            if (cause.kind != CallCause::Kind::PatternFailed) continue;
            if (out_->isEmpty()) heading(tr("Patterns that do not fit"));
            write_cause(cause, explanation);
        }
        out_ = &text_.html;
    }

    /// Patterns of which something is found round the call, wherever they begin, and of which nothing was said yet.
    void write_places(const CallExplanation& explanation) {
        std::vector<PatternPlace> places = explainer_.pattern_places(explanation.call);
        std::erase_if(places, [&explanation](const PatternPlace& place) {
            return place.matched == 0 || place.reason.empty() ||
                   std::ranges::any_of(explanation.causes, [&](const CallCause& cause) {
                       return cause.kind == CallCause::Kind::PatternFailed && cause.rule == place.pattern;
                   });
        });
        if (places.empty()) return;
        out_ = &text_.more;
        heading(tr("Patterns with such an operator"));
        for (int i = 0; i < int(places.size()); ++i) {
            if (i == kShownPatterns) {
                indented(tr("and %n more", nullptr, int(places.size()) - i));
                break;
            }
            const PatternPlace& place = places[size_t(i)];
            CallCause cause;
            cause.backend = place.backend;
            cause.at = place.at;
            cause.reason = place.reason;
            const QString name = rule_link(cause, QStringLiteral("rule"), place.pattern,
                                           QStringLiteral("<code>%1</code>").arg(escaped(place.pattern)));
            indented(tr("%1, as %2: %3 of %4 operators; %5")
                         .arg(name, QStringLiteral("<code>%1</code>").arg(escaped(place.part)))
                         .arg(place.matched)
                         .arg(place.of)
                         .arg(with_place(cause)));
        }
        out_ = &text_.html;
    }

    void write_cause(const CallCause& cause, const CallExplanation& explanation) {
        const QString backend = QStringLiteral("<b>%1</b>").arg(escaped(explainer_.backend_name(cause.backend)));
        const bool taken = cause.backend == explanation.backend;
        // That it goes there is said; that its rules were not asked explains nothing of it.
        if (taken && cause.kind == CallCause::Kind::NotAsked) return;
        const QString rule = rule_link(cause, QStringLiteral("rule"), cause.rule,
                                       QStringLiteral("<code>%1</code>").arg(escaped(cause.rule)));
        // Given by hand, itself or the match around it, a call goes where no rule would send it.
        const bool against = cause.kind == CallCause::Kind::NoRule || cause.kind == CallCause::Kind::RuleFailed;
        const QString beginning = !taken    ? refused(tr("It does not go to %1").arg(backend))
                                  : against ? tr("By its rules it would not go to %1").arg(backend)
                                            : tr("It goes to %1").arg(backend);
        switch (cause.kind) {
            case CallCause::Kind::Overridden:
                return paragraph(QStringLiteral("%1: %2.").arg(tr("It goes to %1").arg(backend), words_of(cause)));
            case CallCause::Kind::Partitioner:
                return paragraph(refused(tr("It is in no region: %1.").arg(words_of(cause))));
            case CallCause::Kind::ByCost:
                return paragraph(tr("It goes to %1: the placement by time puts it there.").arg(backend));
            case CallCause::Kind::Composite:
                if (!taken) return paragraph(tr("%1: the whole match of %2 went elsewhere.").arg(beginning, rule));
                paragraph(tr("%1: it is part of %2.").arg(beginning, rule));
                return write_terms(cause);
            case CallCause::Kind::Accepted:
                paragraph(taken ? tr("%1: %2 accepts it.").arg(beginning, rule)
                                : tr("%1 of %2 accepts it, but it went elsewhere.").arg(rule, backend));
                return write_terms(cause);
            case CallCause::Kind::RuleFailed:
                paragraph(tr("%1: %2 refuses it.").arg(beginning, rule));
                return write_terms(cause);
            case CallCause::Kind::PatternFailed:
                if (cause.terms.empty()) return indented(tr("pattern %1: %2").arg(rule, with_place(cause)));
                indented(tr("pattern %1: it matches, but its check is false").arg(rule));
                return write_terms(cause);
            case CallCause::Kind::NoRule:
                if (op_.empty())
                    return paragraph(
                        QStringLiteral("%1: %2.").arg(beginning, words_of(cause)));  // rules are of operators
                return paragraph(QStringLiteral("%1: %2. &nbsp;%3")
                                     .arg(beginning, words_of(cause),
                                          rule_link(cause, QStringLiteral("newrule"), op_, tr("write one"))));
            default: return paragraph(QStringLiteral("%1: %2.").arg(beginning, words_of(cause)));
        }
    }

    QString words_of(const CallCause& cause) const { return escaped(say(cause.reason).toStdString()); }

    /// A pattern's failure with its place as a link.
    QString with_place(const CallCause& cause) const {
        if (cause.line) return with_line(cause);
        QString words = words_of(cause);
        if (!cause.at.valid()) return words;
        const QString name = escaped(explainer_.names().name(cause.at));
        const qsizetype found = words.indexOf(name);
        return found < 0 ? words + QStringLiteral(" (%1)").arg(link(cause.at))
                         : words.replace(found, name.size(), link(cause.at));
    }

    /// What an annotator said; its place in a file in Python is a link.
    QString with_line(const CallCause& cause) const {
        QString words = words_of(cause).replace(QLatin1Char('\n'), QStringLiteral("<br>&nbsp;&nbsp;&nbsp;&nbsp;"));
        const QString place = escaped(cause.place);
        const qsizetype found = cause.line ? words.indexOf(place) : -1;
        if (found < 0) return words;
        const QString link =
            QStringLiteral("<a href='line:%1/%2'><code>%3</code></a>").arg(cause.backend).arg(cause.line).arg(place);
        return words.left(found) + link + words.mid(found + place.size());
    }

    void write_terms(const CallCause& cause) {
        if (cause.terms.empty() && !cause.reason.empty() && cause.kind == CallCause::Kind::Accepted)
            return indented(QStringLiteral("<span class='m'>%1</span>").arg(words_of(cause)));
        if (cause.terms.empty() && !cause.reason.empty() && cause.kind == CallCause::Kind::RuleFailed)
            return indented(refused(QStringLiteral("✗ ")) + with_line(cause));
        int alternative = 0;
        for (int i = 0; i < int(cause.terms.size()); ++i) {
            if (i == kShownTerms) return indented(tr("and %n more", nullptr, int(cause.terms.size()) - i));
            const RuleTerm& term = cause.terms[size_t(i)];
            if (i && term.alternative != alternative) indented(QStringLiteral("<i>%1</i>").arg(tr("or")));
            alternative = term.alternative;
            const bool failed =
                cause.kind == CallCause::Kind::RuleFailed || cause.kind == CallCause::Kind::PatternFailed;
            const QString sign = failed ? refused(QStringLiteral("✗")) : QStringLiteral("✓");
            indented(QStringLiteral("%1 <code>%2</code>%3").arg(sign, escaped(term.stated(!failed)), values_of(term)));
        }
    }

    /// "args[0].dtype is 'int8'", with what it speaks of as a link.
    QString values_of(const RuleTerm& term) const {
        QStringList values;
        for (const RuleTerm::Operand& operand : term.operands)
            values << tr("%1 is %2")
                          .arg(link(operand.expr, QStringLiteral("<code>%1</code>").arg(escaped(operand.text))),
                               QStringLiteral("<b>%1</b>").arg(escaped(operand.value)));
        if (!term.error.empty()) values << refused(escaped(term.error));
        return values.isEmpty() ? QString()
                                : QStringLiteral("<br>&nbsp;&nbsp;&nbsp;&nbsp;") + values.join(QStringLiteral(", "));
    }

    void write_neighbours(int region) {
        std::vector<RegionPairExplanation> pairs = explainer_.explain_neighbours_of(region);
        if (pairs.empty()) return;
        heading(tr("Neighbouring regions"));
        for (int i = 0; i < int(pairs.size()); ++i) {
            if (i == kShownNeighbours) return paragraph(tr("and %n more", nullptr, int(pairs.size()) - i));
            write_pair(pairs[size_t(i)], region);
        }
    }

    void write_pair(RegionPairExplanation& pair, int region) {
        const bool feeds = pair.consumer == region;
        const int other = feeds ? pair.producer : pair.consumer;
        const RegionInfo& info = flow_.regions[size_t(other)];
        const QString name =
            QStringLiteral("<a href='region:%1'>%2</a>").arg(other).arg(escaped(region_name(info, explainer_.names())));
        const QString who = feeds ? tr("%1 feeds it").arg(name) : tr("It feeds %1").arg(name);
        using Kind = RegionPairExplanation::Kind;
        if (pair.kind == Kind::DifferentBackend) return paragraph(tr("%1: they go to different backends.").arg(who));
        if (pair.path.empty())
            return paragraph(QStringLiteral("%1: %2.").arg(who, escaped(say(pair.reason).toStdString())));
        if (pair.kind == Kind::TakenApart)
            return paragraph(QStringLiteral("%1: %2. &nbsp;%3 %4")
                                 .arg(who, escaped(say(pair.reason).toStdString()),
                                      pathLink(std::move(pair.path), tr("show the path")),
                                      pathLink(std::move(pair.cycle), tr("show the cycle"))));
        const QString reason =
            pair.kind == Kind::WouldCloseCycle
                ? tr("together they would depend on themselves, through")
                : tr("calls on default are taken together as regions too, and through those a path leads back in");
        const QString steps = path_of(pair);
        paragraph(QStringLiteral("%1: %2 %3 &nbsp;%4")
                      .arg(who, refused(reason), steps, pathLink(std::move(pair.path), tr("show the path"))));
    }

    /// The path as links; says where it goes on inside a region instead of along a value.
    QString path_of(const RegionPairExplanation& pair) const {
        QString text = link(pair.path[0]);
        for (size_t i = 1; i < pair.path.size(); ++i) {
            if (i == kShownOfPath)
                return text + QStringLiteral(" → ") + tr("… (%n expression(s))", nullptr, int(pair.path.size()));
            const bool inside = pair.hops[i - 1] == PathHop::Inside;
            const char* form = inside ? SENTENCE("Engine", "%1, in one region with %2") : "%1 → %2";
            text = say({form, {text.toStdString(), link(pair.path[i]).toStdString()}});
        }
        return text;
    }

    QString pathLink(std::vector<ExprId> path, const QString& words) {
        text_.paths.push_back(std::move(path));
        return QStringLiteral("<a href='path:%1'><b>%2</b></a>").arg(text_.paths.size() - 1).arg(words);
    }

    const WhySubject& subject_;
    FlowExplainer& explainer_;
    const FlowResult& flow_;
    const Theme& theme_;
    std::string op_;  ///< that the call calls
    WhyText text_;
    QString* out_ = &text_.html;
};

}  // namespace

WhyText why_text(FlowExplainer& explainer, const WhySubject& subject, const Theme& theme) {
    return WhyWriter(explainer, subject, theme).write();
}

}  // namespace partita
