#include "app/gui/panels/inspector/constant_values.h"

#include <algorithm>

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "app/gui/style/save_path.h"
#include "engine/runtime/npy.h"

namespace partita {

namespace {

/// Tensors in memory with no more values are told at once: less than a millisecond.
constexpr int64_t kToldAtOnce = 50000;

QString row(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td class='whole' width='36%'>%1</td><td>%2</td></tr>")
        .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString value_text(double value) { return significant_text(value, 5); }

/// One row for each part, with a bar as long as its share of the fullest.
QString histogram(const TensorStatistics& found, const Theme& theme) {
    constexpr int kLongestBar = 28;
    const int64_t most = std::max<int64_t>(1, *std::max_element(found.histogram.begin(), found.histogram.end()));
    const double width = (found.largest - found.least) / double(TensorStatistics::kBins);
    QString html = QStringLiteral("<table cellspacing='0' width='100%'>");
    for (size_t bin = 0; bin < TensorStatistics::kBins; ++bin) {
        const int64_t count = found.histogram[bin];
        const int length = count ? std::max<int>(1, int(kLongestBar * count / most)) : 0;
        const QString bar = QString(length, QChar(0x2588));
        html += QStringLiteral(
                    "<tr><td class='whole' align='right' width='26%'>%1</td>"
                    "<td><small style='color:%2'>%3</small> <span class='m'>%4</span></td></tr>")
                    .arg(significant_text(found.least + width * double(bin), 3), theme.accent.name(), bar,
                         QString::number(count));
    }
    return html + QStringLiteral("</table>");
}

}  // namespace

ConstantValues::ConstantValues(Document& document, QWidget& window)
    : QObject(&window), document_(document), window_(window) {}

ConstantValues::Answer ConstantValues::read(const Tensor& tensor, const CancelToken& cancel) {
    try {
        return {tensor_statistics(tensor, cancel), {}};
    } catch (const DataLost& lost) {
        return {{}, shown_message(std::string_view(lost.what()))};
    }
}

bool ConstantValues::isConstant(ExprId id) const {
    const ModulePtr module = document_.shownModule();
    return id.value < module->size() && module->kind(id) == ExprKind::Constant;
}

const RegionValue* ConstantValues::flowed(ExprId id) const {
    const FlowedValuesPtr& values = document_.flowedValues();
    const RunOutcomePtr& run = document_.runOutcome();
    if (!values || !run || !run->flow || run->flow->input != document_.shownModule()) return nullptr;
    const auto place = values->places.find(id);
    return place == values->places.end() ? nullptr : &values->regions[place->second.first].values[place->second.second];
}

const Tensor* ConstantValues::tensor(ExprId id) const {
    if (isConstant(id)) return &document_.shownModule()->constant(id);
    const RegionValue* value = flowed(id);
    return value ? &value->own : nullptr;
}

/// Of a region's result: which one, and how far it is from what default computes.
QString ConstantValues::differenceRows(ExprId id) const {
    const auto [region, output] = document_.flowedValues()->places.at(id);
    const RegionDifference& compared = document_.flowedValues()->regions[region];
    QString rows = row(tr("Given by"), shown_name(compared.shown()));
    if (output >= compared.outputs.size()) return rows;
    const OutputDifference& difference = compared.outputs[output];
    rows += row(tr("Furthest from default"),
                tr("%1 (relative %2)")
                    .arg(significant_text(difference.max_abs_error, 3), significant_text(difference.max_rel_error, 3)));
    return rows;
}

QString ConstantValues::text(ExprId constant, const Theme& theme) {
    const ModulePtr module = document_.shownModule();
    const Tensor* known = tensor(constant);
    if (!known) return {};
    const Tensor& value = *known;
    if (module_ != module || constant_ != constant || flowed_ != document_.flowedValues()) answer_.reset();
    flowed_ = document_.flowedValues();
    module_ = module;
    constant_ = constant;
    if (!answer_ && value.in_memory() && value.size() <= kToldAtOnce) answer_ = read(value, CancelToken());
    const bool has_flowed = !isConstant(constant);
    QString html = QStringLiteral("<h3>%1</h3>").arg(has_flowed ? tr("Values that flowed") : tr("Values"));
    if (has_flowed)
        html += QStringLiteral("<table cellspacing='0' width='100%'>%1</table>").arg(differenceRows(constant));
    if (!answer_) {
        html += QStringLiteral("<p><a href='values:%1'>%2</a></p>").arg(constant.value).arg(tr("Read them"));
    } else if (!answer_->statistics) {
        html += QStringLiteral("<p>%1</p>").arg(answer_->fault.toHtmlEscaped());
    } else {
        const TensorStatistics& found = *answer_->statistics;
        html += QStringLiteral("<table cellspacing='0' width='100%'>");
        html += row(tr("Least"), value_text(found.least)) + row(tr("Largest"), value_text(found.largest));
        html += row(tr("Mean"), value_text(found.mean)) + row(tr("Deviation"), value_text(found.deviation));
        html += row(tr("Zeros"), percent_text(found.count ? double(found.zeros) / double(found.count) : 0));
        if (found.not_finite) html += row(tr("Not finite"), QString::number(found.not_finite));
        QStringList first;
        for (double each : found.first) first << value_text(each);
        if (found.count > int64_t(found.first.size())) first << QStringLiteral("…");
        html += row(tr("First"), first.join(QStringLiteral("  "))) + QStringLiteral("</table>");
        if (found.finite() > 1) html += histogram(found, theme);
    }
    html += QStringLiteral("<p><a href='npy:%1'>%2</a>").arg(constant.value).arg(tr("Save as .npy…"));
    if (has_flowed)
        html += QStringLiteral(" &nbsp; <a href='npydefault:%1'>%2</a>").arg(constant.value).arg(tr("Save default's…"));
    return html + QStringLiteral("</p>");
}

void ConstantValues::ask(ExprId constant) {
    const Tensor* values = tensor(constant);
    if (!values) return;
    if (job_) document_.jobs().cancel(job_);
    job_ = document_.jobs().start<Answer>(
        tr("Reading values"), this,
        [value = *values](const JobContext& context) { return read(value, context.cancel); },
        [this, constant, module = document_.shownModule()](Answer answer) {
            job_ = 0;
            if (module != document_.shownModule() || constant_ != constant) return;
            answer_ = std::move(answer);
            emit ready();
        });
}

void ConstantValues::save(ExprId constant, bool of_default) {
    const RegionValue* compared = flowed(constant);
    const Tensor* values = of_default && compared ? &compared->expected : tensor(constant);
    if (!values) return;           // of a comparison that is over
    const Tensor value = *values;  // the document may change while the dialog is open
    const QString name = QString::fromStdString(document_.names().name(constant));
    static const QRegularExpression unusual(QStringLiteral("[^A-Za-z0-9_.-]+"));
    QString plain = QString(name).replace(unusual, QStringLiteral("_"));
    while (plain.startsWith(QLatin1Char('_'))) plain.remove(0, 1);
    const QFileInfo file(document_.path());
    const QString path = ask_where_to_save(
        &window_, tr("Save the values"),
        file.dir().filePath((plain.isEmpty() ? QStringLiteral("constant") : plain) + QStringLiteral(".npy")),
        tr("NumPy's arrays (*.npy)"), QStringLiteral(".npy"));
    if (path.isEmpty()) return;
    document_.jobs().start<Status>(
        tr("Writing %1").arg(QFileInfo(path).fileName()), this,
        [value, target = path.toStdString()](const JobContext&) { return write_npy(target, value); },
        [this, path](Status written) {
            emit told(written ? tr("%1 was written.").arg(path) : shown_message(written.error().to_string()));
        });
}

}  // namespace partita
