// Where the selected expression came from and what became of it at each stage of the flow, as rich text. Links:
// `stage:NAME` shows it in that stage's text, `function:NAME` opens a sub-function, `expr:ID` selects.
#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "app/gui/document/document.h"
#include "engine/explain/provenance.h"

namespace partita {

class InspectorStages : public QObject {
    Q_OBJECT

public:
    InspectorStages(Document& document, QObject& parent);
    /// Returns a section; "" while there is no flow, and until a worker has walked over its stages.
    QString text(ExprId expr);

signals:
    /// A text that was asked for can be had now.
    void ready();

private:
    void walk(const FlowPtr& flow);

    Document& document_;
    FlowPtr flow_;     ///< that `provenance_` is of
    FlowPtr walking_;  ///< that the job is of
    std::shared_ptr<const Provenance> provenance_;
    quint64 job_ = 0;
};

}  // namespace partita
