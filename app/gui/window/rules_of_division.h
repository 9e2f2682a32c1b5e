// Rules made of the division that is shown: of what a person gave to a backend by hand, or another program took, the
// shortest description that says the same.
#pragma once

#include <QObject>

#include "engine/explain/rules_from_verdicts.h"

namespace partita {

class Document;

class RulesOfDivision : public QObject {
    Q_OBJECT

public:
    explicit RulesOfDivision(Document& document) : document_(document) {}

    /// Why it can't be done with the module that is open; "" if it can.
    QString obstacle() const;
    /// Puts the rules in the place of the backend's, and lets them decide instead of a hand or a report: one step of
    /// undo.
    void make();

signals:
    /// `rule` is the first, as RulesPanel::showRule takes it.
    void made(int backend, const QString& rule);

private:
    /// The backend of what is selected, or the only one; -1 if neither is one.
    int backend() const;
    void take(int backend, const std::vector<CallVerdict>& verdicts, const std::vector<ProposedRule>& rules);
    void tellWhatIsMixed(const std::string& backend, const std::vector<ProposedRule>& rules);

    Document& document_;
};

}  // namespace partita
