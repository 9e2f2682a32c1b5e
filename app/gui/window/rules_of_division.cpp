#include "app/gui/window/rules_of_division.h"

#include <algorithm>

#include "app/gui/document/document.h"

namespace partita {

QString RulesOfDivision::obstacle() const {
    if (!document_.flow() || !document_.flowIsCurrent()) return tr("Annotate first, or give operators to a backend");
    return backend() < 0 ? tr("Select an operator on the backend whose rules you want") : QString();
}

int RulesOfDivision::backend() const {
    for (ExprId id : document_.selectedOperators())
        if (const int on = document_.backendOf(id); on >= 0) return on;
    return document_.choice().backends.size() == 1 ? 0 : -1;
}

void RulesOfDivision::make() {
    const FlowPtr flow = document_.flow();
    const int of = backend();
    if (!flow || of < 0) return;
    std::vector<std::string> names;
    for (const BackendPtr& each : document_.choice().backends) names.push_back(each->name);
    using Made = std::pair<std::vector<CallVerdict>, std::vector<ProposedRule>>;
    document_.jobs().start<Made>(
        tr("Looking for rules"), this,
        [flow, names, of](const JobContext&) {
            Made made{verdicts_of(*flow, names, size_t(of)), {}};
            made.second = rules_from_verdicts(*flow->input, made.first);
            return made;
        },
        [this, flow, of](Made made) {
            if (flow == document_.flow() && document_.flowIsCurrent()) take(of, made.first, made.second);
        });
}

void RulesOfDivision::take(int backend, const std::vector<CallVerdict>& verdicts,
                           const std::vector<ProposedRule>& rules) {
    FlowChoice choice = document_.choice();
    const std::string name = choice.backends[size_t(backend)]->name;
    const std::string codegen = choice.backends[size_t(backend)]->codegen;
    const bool runs = codegen != BackendDescription().codegen;
    Result<BackendDescription> parsed =
        parse_backend_description(description_of(name, rules, runs ? codegen : std::string()), name);
    if (!parsed) return document_.report(parsed.error());
    parsed->file.clear();
    choice.backends[size_t(backend)] = std::make_shared<const BackendDescription>(std::move(*parsed));
    choice.reported = nullptr;
    std::vector<ExprId> judged;
    for (const CallVerdict& verdict : verdicts) judged.push_back(verdict.call);
    choice.overrides.change([&](HandPlacement& given) { given.takeBack(judged); });
    choice.annotate = true;
    document_.changeChoice(std::move(choice), tr("rules of the division"));

    tellWhatIsMixed(name, rules);
    const auto first =
        std::find_if(rules.begin(), rules.end(), [](const ProposedRule& rule) { return !rule.rule.empty(); });
    emit made(backend, first == rules.end() ? QString() : QString::fromStdString("ops." + first->op));
}

/// Taken operators that no term of a rule tells from others that were not taken.
void RulesOfDivision::tellWhatIsMixed(const std::string& backend, const std::vector<ProposedRule>& rules) {
    constexpr int kMostNamed = 10;
    QStringList named;
    size_t all = 0;
    for (const ProposedRule& rule : rules)
        for (ExprId call : rule.inseparable)
            if (++all <= kMostNamed) named << QString::fromStdString(document_.names().name(call));
    if (all > kMostNamed) named << QStringLiteral("…");
    document_.withdraw(backend);
    if (all == 0) return;
    const QString text =
        tr("%n operator(s) can't be told from others that were not taken, and stay away: %1", nullptr, int(all))
            .arg(named.join(QStringLiteral(", ")));
    document_.report({Severity::Warning, backend, {}, text.toStdString()});
}

}  // namespace partita
