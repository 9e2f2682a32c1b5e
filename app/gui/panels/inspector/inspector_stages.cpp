#include "app/gui/panels/inspector/inspector_stages.h"

#include <QUrl>

#include "app/gui/panels/inspector/inspector_text.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr size_t kShownPlaces = 6;

/// A stage that only its partitioner knows goes by its own name.
QString stage_title(const std::string& stage) {
    if (stage == "opened") return InspectorStages::tr("As read");
    if (stage == "input") return InspectorStages::tr("Shown");
    if (stage == "composite") return InspectorStages::tr("Composite");
    if (stage == "annotated") return InspectorStages::tr("Annotate");
    if (stage == "merged") return InspectorStages::tr("Merge");
    if (stage == "partitioned") return InspectorStages::tr("Partition");
    return QString::fromStdString(stage);
}

QString function_link(const std::string& name) {
    const QString words = escaped("@" + name);
    return QStringLiteral("<a href='function:%1'>%2</a>")
        .arg(QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(name))), words);
}

/// `leads`: whether the functions of the stage can be opened.
QString place_text(const StagePlace& place, bool leads) {
    QString text = QStringLiteral("<code>%1</code>").arg(escaped(place.name));
    if (!place.label.empty()) text += QStringLiteral(" “%1”").arg(escaped(place.label));
    if (place.position.line) text += InspectorStages::tr(", line %1").arg(place.position.line);
    if (!place.composite.empty()) text += InspectorStages::tr(" inside %1").arg(escaped(place.composite));
    if (place.function != "main")
        text +=
            InspectorStages::tr(" in %1").arg(leads ? function_link(place.function) : escaped("@" + place.function));
    if (!place.stated.empty()) text += QStringLiteral("<br><span class='m'>%1</span>").arg(escaped(place.stated));
    return text;
}

}  // namespace

InspectorStages::InspectorStages(Document& document, QObject& parent) : QObject(&parent), document_(document) {
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 job) {
        if (job == job_) job_ = 0;
    });
    connect(&document_, &Document::opened, this, [this] {
        flow_ = nullptr;
        provenance_ = nullptr;
    });
}

void InspectorStages::walk(const FlowPtr& flow) {
    if (job_ && flow == walking_) return;
    if (job_) document_.jobs().cancel(job_);
    walking_ = flow;
    job_ = document_.jobs().start<std::shared_ptr<const Provenance>>(
        tr("Following operators"), this,
        [flow, source = document_.sourceModule(), operators = document_.choice().operators](const JobContext&) {
            return freed_on_worker(std::make_unique<const Provenance>(*flow, source, operators));
        },
        [this, flow](std::shared_ptr<const Provenance> provenance) {
            job_ = 0;
            walking_ = nullptr;
            flow_ = flow;
            provenance_ = std::move(provenance);
            emit ready();
        });
}

QString InspectorStages::text(ExprId expr) {
    const FlowPtr flow = document_.flow();
    if (!flow || !flow->input || expr.value >= flow->input->size()) return {};
    if (flow != flow_) {
        walk(flow);
        return {};
    }
    QString rows;
    for (const StagePlaces& stage : provenance_->of(expr)) {
        QStringList places;
        // A division is followed to its end before a person asks for it; until then it has no functions to show.
        const bool leads = stage.stage == "partitioned" && document_.partitioned();
        for (size_t i = 0; i < std::min(stage.places.size(), kShownPlaces); ++i)
            places << place_text(stage.places[i], leads);
        if (stage.places.size() > kShownPlaces)
            places << tr("%n more", nullptr, int(stage.places.size() - kShownPlaces));
        if (places.isEmpty()) places << QStringLiteral("<span class='m'>%1</span>").arg(tr("nothing of it"));
        rows += QStringLiteral("<tr><td valign='top' class='whole'><a href='stage:%1'>%2</a></td><td>%3</td></tr>")
                    .arg(QString::fromStdString(stage.stage))
                    .arg(stage_title(stage.stage).toHtmlEscaped(), places.join(QStringLiteral("<br>")));
    }
    QString html = QStringLiteral("<h3>%1</h3><table cellspacing='0' width='100%'>%2</table>")
                       .arg(tr("Came from, became").toHtmlEscaped(), rows);
    QStringList others;
    const std::vector<ExprId> siblings = provenance_->siblings(expr);
    for (size_t i = 0; i < std::min(siblings.size(), kShownPlaces); ++i)
        others << QStringLiteral("<a href='expr:%1'>%2</a>")
                      .arg(siblings[i].value)
                      .arg(escaped(document_.names().name(siblings[i])));
    if (siblings.size() > kShownPlaces) others << tr("%n more", nullptr, int(siblings.size() - kShownPlaces));
    if (!others.isEmpty())
        html += QStringLiteral("<p style='margin-top:4px' class='m'>%1</p>")
                    .arg(tr("Of the same operator came %1").arg(others.join(QStringLiteral(", "))));
    return html;
}

}  // namespace partita
