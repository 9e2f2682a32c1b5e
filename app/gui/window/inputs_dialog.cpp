#include "app/gui/window/inputs_dialog.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/document/document.h"
#include "app/gui/document/inputs_text.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "app/gui/window/run_inputs.h"
#include "engine/session/inputs.h"

namespace partita {

namespace {

constexpr int kNameRole = Qt::UserRole;

/// "0" or "123.675, 116.28, 103.53".
QString colours_text(const std::array<double, 3>& colours) {
    QStringList numbers;
    for (const double value : colours) numbers << QString::number(value, 'g', 9);
    numbers.erase(numbers.begin() + (colours[0] == colours[1] && colours[1] == colours[2] ? 1 : 3), numbers.end());
    return numbers.join(QStringLiteral(", "));
}

std::optional<std::array<double, 3>> colours_of(const QString& text, bool may_be_zero) {
    std::array<double, 3> colours{};
    const QStringList numbers = text.split(QLatin1Char(','));
    if (numbers.size() != 1 && numbers.size() != 3) return std::nullopt;
    for (size_t i = 0; i < colours.size(); ++i) {
        bool good = false;
        colours[i] = numbers[numbers.size() == 1 ? 0 : qsizetype(i)].trimmed().toDouble(&good);
        if (!good || !std::isfinite(colours[i]) || (!may_be_zero && colours[i] == 0)) return std::nullopt;
    }
    return colours;
}

}  // namespace

InputsDialog::InputsDialog(Document& document, RunInputs& inputs, QWidget* parent)
    : QDialog(parent), document_(document), inputs_(inputs), table_(new QTreeWidget),
      choose_(new QPushButton(tr("&Choose a file…"))), make_(new QPushButton(tr("&Make it"))), layout_(new QComboBox),
      mean_(new QLineEdit), scale_(new QLineEdit), fault_(make_plain_label()) {
    setObjectName(QStringLiteral("inputs"));
    setWindowTitle(tr("Inputs of the run"));
    setAcceptDrops(true);
    resize(680, 380);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    auto* words =
        new QLabel(tr("Runs and comparisons give these values to the inputs. Choose a file, or drop one on a "
                      "row: an array of NumPy (.npy, or .npz with several), or an image."));
    words->setWordWrap(true);
    column->addWidget(words);
    table_->setHeaderLabels({tr("Input"), tr("Type"), tr("Values")});
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->setAccessibleName(windowTitle());
    table_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    column->addWidget(table_, 1);
    auto* row = new QHBoxLayout;
    make_->setToolTip(tr("Give the input made values again"));
    row->addWidget(choose_);
    row->addWidget(make_);
    row->addStretch(1);
    column->addLayout(row);
    image_ = buildImage();
    column->addWidget(image_);
    for (QPushButton* button : {choose_, make_}) button->setAutoDefault(false);  // Return ends a field
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    connect(choose_, &QPushButton::clicked, this, &InputsDialog::chooseFile);
    connect(make_, &QPushButton::clicked, this, [this] { inputs_.remove(currentParameter()); });
    connect(table_, &QTreeWidget::currentItemChanged, this, &InputsDialog::followRow);
    connect(table_, &QTreeWidget::itemDoubleClicked, this, &InputsDialog::chooseFile);
    connect(&document_, &Document::inputsChanged, this, &InputsDialog::fill);
    connect(&document_, &Document::opened, this, &QDialog::reject);
    fill();
    readRows();
}

QWidget* InputsDialog::buildImage() {
    auto* image = new QWidget;
    auto* form = new QFormLayout(image);
    form->setContentsMargins(0, 0, 0, 0);
    layout_->addItem(QStringLiteral("NCHW"), int(ImageForm::Layout::NCHW));
    layout_->addItem(QStringLiteral("NHWC"), int(ImageForm::Layout::NHWC));
    form->addRow(tr("&Layout of the image"), layout_);
    form->addRow(tr("M&ean"), mean_);
    form->addRow(tr("&Scale"), scale_);
    form->addRow(fault_);
    const QString tip =
        tr("Each element is (pixel − mean) / scale, pixels being from 0 to 255. One number, or three "
           "for red, green and blue: for ImageNet often 123.675, 116.28, 103.53 and 58.395, 57.12, "
           "57.375");
    mean_->setToolTip(tip);
    scale_->setToolTip(tip);
    connect(layout_, &QComboBox::activated, this, &InputsDialog::changeImage);
    connect(mean_, &QLineEdit::editingFinished, this, &InputsDialog::changeImage);
    connect(scale_, &QLineEdit::editingFinished, this, &InputsDialog::changeImage);
    return image;
}

/// Which values are made is told by the whole graph.
void InputsDialog::readRows() {
    document_.jobs().start<std::vector<Row>>(
        tr("Reading inputs"), this,
        [module = document_.module()](const JobContext&) {
            std::map<std::string, Sentence> made;
            for (auto& [name, values] : made_inputs(*module, {})) made.emplace(std::move(name), std::move(values));
            std::vector<Row> rows;
            const ExprId main = module->find_function("main");
            if (!main.valid()) return rows;
            for (const ExprId parameter : module->parameters(main)) {
                const std::string name(module->name(parameter));
                const auto values = made.find(name);
                rows.push_back({name, std::string(module->label(parameter)),
                                module->types().to_string(module->type(parameter)),
                                values == made.end() ? Sentence() : values->second});
            }
            return rows;
        },
        [this](std::vector<Row> rows) {
            rows_ = std::move(rows);
            fill();
        });
}

const InputFile* InputsDialog::chosen(const std::string& parameter) const {
    const std::vector<InputFile>& inputs = document_.inputs();
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&parameter](const InputFile& input) { return input.parameter == parameter; });
    return found == inputs.end() ? nullptr : &*found;
}

std::string InputsDialog::currentParameter() const {
    const QTreeWidgetItem* item = table_->currentItem();
    return item ? item->data(0, kNameRole).toString().toStdString() : std::string();
}

void InputsDialog::fill() {
    const std::string current = currentParameter();
    {
        const QSignalBlocker block(table_);
        table_->clear();
        QList<QTreeWidgetItem*> items;
        std::vector<std::string> listed;
        const auto add = [&](const Row& row) {
            const InputFile* file = chosen(row.name);
            const QString values = file ? value_text(*file) : tr("made: %1").arg(say(row.made));
            auto* item = new QTreeWidgetItem(
                {shown_name(row.label.empty() ? row.name : row.label), shown_name(row.type), values});
            item->setData(0, kNameRole, QString::fromStdString(row.name));
            if (file) item->setToolTip(2, as_plain(shown_name(file->path)));
            items << item;
            listed.push_back(row.name);
        };
        for (const Row& row : rows_)
            if (!row.made.empty() || chosen(row.name)) add(row);
        for (const InputFile& file : document_.inputs())
            if (std::find(listed.begin(), listed.end(), file.parameter) == listed.end())
                add({file.parameter, {}, {}, {}});
        table_->addTopLevelItems(items);
        for (QTreeWidgetItem* item : items)
            if (item->data(0, kNameRole).toString().toStdString() == current) table_->setCurrentItem(item);
        if (!table_->currentItem() && !items.isEmpty()) table_->setCurrentItem(items.first());
    }
    followRow();
}

void InputsDialog::followRow() {
    const InputFile* file = chosen(currentParameter());
    choose_->setEnabled(table_->currentItem() != nullptr);
    make_->setEnabled(file != nullptr);
    image_->setVisible(file && file->image);
    fault_->hide();
    if (!file || !file->image) return;
    layout_->setCurrentIndex(layout_->findData(int(file->image->layout)));
    mean_->setText(colours_text(file->image->mean));
    scale_->setText(colours_text(file->image->scale));
}

void InputsDialog::chooseFile() {
    const std::string parameter = currentParameter();
    if (parameter.empty()) return;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Values for %1").arg(shown_name(parameter)), QFileInfo(document_.path()).path(),
        tr("Arrays and images (*.npy *.npz *.png *.jpg *.jpeg *.bmp);;All files (*)"));
    if (!path.isEmpty()) inputs_.add({path}, QString::fromStdString(parameter));
}

void InputsDialog::changeImage() {
    const std::string parameter = currentParameter();
    const InputFile* file = chosen(parameter);
    if (!file || !file->image) return;
    const auto mean = colours_of(mean_->text(), true), scale = colours_of(scale_->text(), false);
    fault_->setText(mean ? tr("The scale is one number or three, separated by commas; none is 0.")
                         : tr("The mean is one number or three, separated by commas."));
    fault_->setVisible(!mean || !scale);
    if (!mean || !scale) return;
    const ImageForm form{ImageForm::Layout(layout_->currentData().toInt()), *mean, *scale};
    const ExprId main = document_.module()->find_function("main");
    for (const ExprId input : document_.module()->parameters(main))
        if (document_.module()->name(input) == parameter &&
            !image_size(document_.module()->types(), document_.module()->type(input), form.layout)) {
            fault_->setText(tr("The shape of this input is not of that layout."));
            fault_->show();
            return;
        }
    if (!(form == *file->image)) inputs_.setImage(parameter, form);
}

void InputsDialog::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() &&
        std::all_of(urls.begin(), urls.end(), [](const QUrl& url) { return RunInputs::isFor(url.toLocalFile()); }))
        event->acceptProposedAction();
}

/// One file goes to the row under it; several find their inputs themselves.
void InputsDialog::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls()) paths << url.toLocalFile();
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    const QPoint place = table_->viewport()->mapFrom(this, event->position().toPoint());
    const QTreeWidgetItem* item = paths.size() == 1 ? table_->itemAt(place) : nullptr;
    inputs_.add(paths, item ? item->data(0, kNameRole).toString() : QString());
}

}  // namespace partita
