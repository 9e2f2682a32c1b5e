#include "app/gui/window/settings_dialog.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

#include "app/gui/document/annotator_permits.h"
#include "app/gui/style/language.h"

namespace partita {

namespace {

/// "English" without a country.
QString native_name(const QString& language) {
    const QLocale locale(language);
    return locale.language() == QLocale::English ? QLocale::languageToString(QLocale::English)
                                                 : locale.nativeLanguageName();
}

}  // namespace

SettingsDialog::SettingsDialog(const Settings& settings, QWidget* parent)
    : QDialog(parent), settings_(settings), before_(settings) {
    setWindowTitle(tr("Settings"));
    build();
}

void SettingsDialog::build() {
    auto* column = new QVBoxLayout(this);
    auto* inside = new QWidget;
    form_ = new QFormLayout(inside);
    form_->setContentsMargins(0, 0, 4, 0);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form_->setHorizontalSpacing(24);
    scroll_ = new QScrollArea;
    scroll_->setWidget(inside);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(scroll_, 1);
    addAppearance();
    addGraph();
    addRunning();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    column->addSpacing(8);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::rejected, this, [this] {
        settings_ = before_;
        emit changed(settings_);
    });
    inside->installEventFilter(this);
    fit();
}

void SettingsDialog::addAppearance() {
    addHeading(tr("Appearance"));
    addChoice(tr("Theme"), {tr("Like the system"), tr("Light"), tr("Dark")}, int(settings_.theme),
              [this](int index) { settings_.theme = ThemeChoice(index); });
    addChoice(tr("Colours of backends"), {tr("Okabe-Ito (safe for colour-blind people)"), tr("High contrast")},
              int(settings_.palette), [this](int index) { settings_.palette = PaletteChoice(index); });
    auto* scale = new QSpinBox;
    scale->setRange(75, 250);
    scale->setSingleStep(5);
    scale->setSuffix(tr(" %"));
    scale->setValue(int(settings_.text_scale * 100));
    connect(scale, &QSpinBox::valueChanged, this, [this](int value) {
        settings_.text_scale = value / 100.0;
        emit changed(settings_);
    });
    form_->addRow(tr("Size of text"), scale);
    const QStringList names = QStringList{QString()} + languages();
    QStringList titles{tr("Like the system")};
    for (const QString& name : languages()) titles << native_name(name);
    QComboBox* language =
        addChoice(tr("Language, from the next start"), titles, std::max(0, int(names.indexOf(settings_.language))),
                  [this, names](int index) { settings_.language = names[index]; });
    for (int i = 0; i < names.size(); ++i) language->setItemData(i, names[i]);
    language->setObjectName(QStringLiteral("language"));
    language->setToolTip(tr("From the next start on"));
}

void SettingsDialog::addGraph() {
    addHeading(tr("Graph"));
    addSwitch(tr("Animate changes of layout"), settings_.canvas.animated);
    addSwitch(tr("Show the overview in the corner"), settings_.canvas.minimap);
    addSwitch(tr("Show weights and constants as nodes"), settings_.canvas.model.show_weights);
    addSwitch(tr("Show attributes"), settings_.canvas.model.show_attributes);
    addSwitch(tr("Show types of results"), settings_.canvas.model.show_types);
    addSwitch(tr("Show types on edges"), settings_.canvas.edge_types);
    addSwitch(tr("Draw edges as wide as their data is large"), settings_.canvas.edge_widths);
}

void SettingsDialog::addRunning() {
    addHeading(tr("Running"));
    addNumber(tr("Threads"), settings_.run.threads, 0, 256, tr("as many as cores"));
    addNumber(tr("Runs before measuring"), settings_.run.warmup, 0, 100);
    addNumber(tr("Measured runs"), settings_.run.repeat, 1, 1000);
    addText(tr("C compiler"), settings_.compiler, QStringLiteral("cc"), QStringLiteral("compiler"));
    addText(tr("Its flags"), settings_.compiler_flags, tr("the program's own"), QStringLiteral("compiler-flags"));
    addSwitch(tr("Compare outputs with the unpartitioned module"), settings_.run.compare);
    addPermissions();
}

/// Takes effect when the dialog is accepted.
void SettingsDialog::addPermissions() {
    auto* forget = new QCheckBox(tr("Ask again before allowed code runs"));
    forget->setObjectName(QStringLiteral("forget-permissions"));
    forget->setToolTip(tr("Forgets which backends' code and annotators were allowed to run"));
    forget->setEnabled(is_anything_permitted());
    connect(this, &QDialog::accepted, forget, [forget] {
        if (forget->isChecked()) forget_permits();
    });
    form_->addRow(QString(), forget);
}

void SettingsDialog::addHeading(const QString& text) {
    auto* label = new QLabel(QStringLiteral("<b>%1</b>").arg(text));
    label->setContentsMargins(0, 8, 0, 2);
    form_->addRow(label);
}

QComboBox* SettingsDialog::addChoice(const QString& text, const QStringList& choices, int chosen,
                                     const std::function<void(int)>& choose) {
    auto* box = new QComboBox;
    box->addItems(choices);
    box->setCurrentIndex(chosen);
    connect(box, &QComboBox::currentIndexChanged, this, [this, choose](int index) {
        choose(index);
        emit changed(settings_);
    });
    form_->addRow(text, box);
    return box;
}

void SettingsDialog::addSwitch(const QString& text, bool& value) {
    auto* box = new QCheckBox(text);
    box->setChecked(value);
    connect(box, &QCheckBox::toggled, this, [this, &value](bool on) {
        value = on;
        emit changed(settings_);
    });
    form_->addRow(QString(), box);
}

void SettingsDialog::addNumber(const QString& text, int& value, int low, int high, const QString& special) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    if (!special.isEmpty()) box->setSpecialValueText(special);
    box->setValue(value);
    connect(box, &QSpinBox::valueChanged, this, [this, &value](int now) {
        value = now;
        emit changed(settings_);
    });
    form_->addRow(text, box);
}

void SettingsDialog::addText(const QString& text, QString& value, const QString& placeholder, const QString& name) {
    auto* edit = new QLineEdit(value);
    edit->setPlaceholderText(placeholder);
    edit->setObjectName(name);
    connect(edit, &QLineEdit::editingFinished, this, [this, edit, &value] {
        value = edit->text();
        emit changed(settings_);
    });
    form_->addRow(text, edit);
}

/// As high as all of it, or as the screen: in large type the buttons would lie below its end.
void SettingsDialog::fit() {
    constexpr int kWindowFrame = 40;
    const QSize wanted = scroll_->widget()->sizeHint();
    scroll_->setMinimumSize(0, 0);
    const int others = sizeHint().height() - scroll_->sizeHint().height();
    scroll_->setMinimumHeight(std::min(wanted.height(), screen()->availableSize().height() - kWindowFrame - others));
    scroll_->setMinimumWidth(wanted.width() + scroll_->verticalScrollBar()->sizeHint().width());
    adjustSize();
    if (!isVisible()) return;
    // It grows downwards, in large type beyond the screen's end.
    const QRect room = screen()->availableGeometry();
    const QSize frame = size() + (frameGeometry().size() - geometry().size());
    const int x = std::min(pos().x(), room.right() + 1 - frame.width()),
              y = std::min(pos().y(), room.bottom() + 1 - frame.height());
    move(std::max(x, room.left()), std::max(y, room.top()));
}

/// Other type makes the form another size.
bool SettingsDialog::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) QTimer::singleShot(0, this, &SettingsDialog::fit);
    return QDialog::eventFilter(watched, event);
}

}  // namespace partita
