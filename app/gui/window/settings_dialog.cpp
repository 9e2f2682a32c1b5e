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

#include "app/gui/style/language.h"

namespace partita {

namespace {

/// "English" without a country.
QString native_name(const QString& language) {
    const QLocale locale(language);
    return locale.language() == QLocale::English ? QLocale::languageToString(QLocale::English)
                                                 : locale.nativeLanguageName();
}

void add_heading(QFormLayout& form, const QString& text) {
    auto* label = new QLabel(QStringLiteral("<b>%1</b>").arg(text));
    label->setContentsMargins(0, 8, 0, 2);
    form.addRow(label);
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
    auto* form = new QFormLayout(inside);
    form->setContentsMargins(0, 0, 4, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(24);
    scroll_ = new QScrollArea;
    scroll_->setWidget(inside);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(scroll_, 1);
    const auto tell = [this] { emit changed(settings_); };

    add_heading(*form, tr("Appearance"));
    auto* theme = new QComboBox;
    theme->addItems({tr("Like the system"), tr("Light"), tr("Dark")});
    theme->setCurrentIndex(int(settings_.theme));
    connect(theme, &QComboBox::currentIndexChanged, this, [=, this](int index) {
        settings_.theme = ThemeChoice(index);
        tell();
    });
    form->addRow(tr("Theme"), theme);
    auto* palette = new QComboBox;
    palette->addItems({tr("Okabe-Ito (safe for colour-blind people)"), tr("High contrast")});
    palette->setCurrentIndex(int(settings_.palette));
    connect(palette, &QComboBox::currentIndexChanged, this, [=, this](int index) {
        settings_.palette = PaletteChoice(index);
        tell();
    });
    form->addRow(tr("Colours of backends"), palette);
    auto* scale = new QSpinBox;
    scale->setRange(75, 250);
    scale->setSingleStep(5);
    scale->setSuffix(tr(" %"));
    scale->setValue(int(settings_.text_scale * 100));
    connect(scale, &QSpinBox::valueChanged, this, [=, this](int value) {
        settings_.text_scale = value / 100.0;
        tell();
    });
    form->addRow(tr("Size of text"), scale);
    auto* language = new QComboBox;
    language->setObjectName(QStringLiteral("language"));
    language->addItem(tr("Like the system"), QString());
    for (const QString& name : languages()) language->addItem(native_name(name), name);
    language->setCurrentIndex(std::max(0, language->findData(settings_.language)));
    language->setToolTip(tr("From the next start on"));
    connect(language, &QComboBox::currentIndexChanged, this, [=, this](int index) {
        settings_.language = language->itemData(index).toString();
        tell();
    });
    form->addRow(tr("Language, from the next start"), language);

    add_heading(*form, tr("Graph"));
    const auto add_switch = [&](const QString& text, bool& value, const QString& hint = QString()) {
        auto* box = new QCheckBox(text);
        box->setToolTip(hint);
        box->setChecked(value);
        bool* target = &value;
        connect(box, &QCheckBox::toggled, this, [=](bool on) {
            *target = on;
            tell();
        });
        form->addRow(QString(), box);
    };
    add_switch(tr("Animate changes of layout"), settings_.canvas.animated);
    add_switch(tr("Show the overview in the corner"), settings_.canvas.minimap);
    add_switch(tr("Show weights and constants as nodes"), settings_.canvas.model.show_weights);
    add_switch(tr("Show attributes"), settings_.canvas.model.show_attributes);
    add_switch(tr("Show types of results"), settings_.canvas.model.show_types);
    add_switch(tr("Show types on edges"), settings_.canvas.edge_types);
    add_switch(tr("Draw edges as wide as their data is large"), settings_.canvas.edge_widths);

    add_heading(*form, tr("Running"));
    const auto add_number = [&](const QString& text, int& value, int low, int high, const QString& special) {
        auto* box = new QSpinBox;
        box->setRange(low, high);
        if (!special.isEmpty()) box->setSpecialValueText(special);
        box->setValue(value);
        int* target = &value;
        connect(box, &QSpinBox::valueChanged, this, [=](int now) {
            *target = now;
            tell();
        });
        form->addRow(text, box);
    };
    add_number(tr("Threads"), settings_.run.threads, 0, 256, tr("as many as cores"));
    add_number(tr("Runs before measuring"), settings_.run.warmup, 0, 100, QString());
    add_number(tr("Measured runs"), settings_.run.repeat, 1, 1000, QString());
    const auto add_text = [&](const QString& text, QString& value, const QString& placeholder, const QString& name) {
        auto* edit = new QLineEdit(value);
        edit->setPlaceholderText(placeholder);
        edit->setObjectName(name);
        QString* target = &value;
        connect(edit, &QLineEdit::editingFinished, this, [=] {
            *target = edit->text();
            tell();
        });
        form->addRow(text, edit);
    };
    add_text(tr("C compiler"), settings_.compiler, QStringLiteral("cc"), QStringLiteral("compiler"));
    add_text(tr("Its flags"), settings_.compiler_flags, tr("the program's own"), QStringLiteral("compiler-flags"));
    add_switch(tr("Compare outputs with the unpartitioned module"), settings_.run.compare);

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
