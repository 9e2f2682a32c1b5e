#include "app/gui/window/welcome_page.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/icons.h"

namespace partita {

namespace {

/// The first comments of the samples that ship, for translators.
[[maybe_unused]] const char* const kSampleLines[] = {
    QT_TRANSLATE_NOOP("partita::WelcomePage",
                      "Self-attention with four heads: dense and softmax can go to dnnl, reshape and transpose stay on "
                      "default between them."),
    QT_TRANSLATE_NOOP("partita::WelcomePage",
                      "A diamond: ccompiler takes add, multiply and subtract, but the subtract may not merge with "
                      "them: exp lies between."),
    QT_TRANSLATE_NOOP("partita::WelcomePage",
                      "Divides in the way: ccompiler takes add, subtract and multiply, and two divides split them "
                      "into three regions."),
    QT_TRANSLATE_NOOP("partita::WelcomePage",
                      "Two int8 convolutions with a stop_fusion between them: it ends a region, unless a backend calls "
                      "it transparent."),
    QT_TRANSLATE_NOOP(
        "partita::WelcomePage",
        "A residual block: once simplified, its batch_norms come apart, and what carries data is one region of dnnl."),
    QT_TRANSLATE_NOOP("partita::WelcomePage",
                      "Three branches, two of them annotated by hand for ccompiler: no backend is asked for them."),
    QT_TRANSLATE_NOOP("partita::WelcomePage",
                      "Two functions that name their own compiler with the attribute `compiler`: partitioning needs no "
                      "rule for them."),
};

/// The folder of samples: installed beside the program, or above it in a build tree.
QDir samples_folder() {
    QDir folder(QCoreApplication::applicationDirPath());
    for (int level = 0; level < 6; ++level) {
        for (const char* place : {"samples", "share/doc/partita/samples"}) {
            const QDir candidate(folder.filePath(QLatin1String(place)));
            if (!candidate.entryList({QStringLiteral("*.relay"), QStringLiteral("*.onnx")}, QDir::Files).isEmpty())
                return candidate;
        }
        if (!folder.cdUp()) break;
    }
    return QDir(QStringLiteral("/nonexistent"));
}

/// The first comment in the first lines of a Relay file.
QString first_comment(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    for (int line = 0; line < 6 && !file.atEnd(); ++line) {
        QString text = QString::fromUtf8(file.readLine(400)).trimmed();
        if (text.startsWith(QLatin1String("//"))) return text.mid(2).trimmed();
        if (text.startsWith(QLatin1String("/*"))) return text.mid(2).remove(QStringLiteral("*/")).trimmed();
    }
    return {};
}

/// The first line of an item in bold type, the others muted: a name and what it is.
class TitledDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        plain.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
        const QString text = index.data().toString();
        const QString title = text.section(QLatin1Char('\n'), 0, 0), line = text.section(QLatin1Char('\n'), 1);
        const bool enabled = index.flags() & Qt::ItemIsEnabled;
        painter->save();
        painter->setPen(option.palette.color(enabled ? QPalette::Normal : QPalette::Disabled, QPalette::Text));
        painter->setFont(enabled ? bold(option.font) : option.font);
        const QRect inner = option.rect.adjusted(kAround, kAround, -kAround, -kAround);
        painter->drawText(inner, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, title);
        painter->setFont(option.font);
        painter->setPen(option.palette.color(QPalette::PlaceholderText));
        painter->drawText(inner.adjusted(0, heightOf(title, bold(option.font), inner.width()) + 1, 0, 0),
                          Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, line);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QString text = index.data().toString(), line = text.section(QLatin1Char('\n'), 1);
        const int width = static_cast<const QListWidget*>(option.widget)->viewport()->width() - 2 * kAround - 4;
        int height = heightOf(text.section(QLatin1Char('\n'), 0, 0), bold(option.font), width) + 2 * kAround + 1;
        if (!line.isEmpty()) height += heightOf(line, option.font, width);
        return QSize(width, height);
    }

private:
    static constexpr int kAround = 6;
    static int heightOf(const QString& text, const QFont& font, int width) {
        return QFontMetrics(font).boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, text).height();
    }
    static QFont bold(QFont font) {
        font.setWeight(QFont::DemiBold);
        return font;
    }
};

QListWidget* make_list(const QString& name) {
    auto* list = new QListWidget;
    list->setAccessibleName(name);
    list->setWordWrap(true);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setSpacing(1);
    list->setFrameShape(QFrame::NoFrame);
    list->setItemDelegate(new TitledDelegate(list));
    list->setResizeMode(QListView::Adjust);
    return list;
}

QLabel* make_heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

void add_file(QListWidget& list, const QString& path, const QString& title, const QString& line) {
    auto* item = new QListWidgetItem(line.isEmpty() ? title : title + QLatin1Char('\n') + line);
    item->setData(Qt::UserRole, path);
    item->setToolTip(shown_name(path));
    list.addItem(item);
}

/// In place of what could be chosen.
void add_note(QListWidget& list, const QString& text) {
    auto* note = new QListWidgetItem(text, &list);
    note->setFlags(Qt::NoItemFlags);
}

}  // namespace

std::vector<Sample> find_samples() {
    std::vector<Sample> samples;
    const QDir folder = samples_folder();
    for (const QFileInfo& file :
         folder.entryInfoList({QStringLiteral("*.relay"), QStringLiteral("*.onnx")}, QDir::Files, QDir::Name))
        samples.push_back({file.absoluteFilePath(), file.completeBaseName(),
                           WelcomePage::tr(first_comment(file.absoluteFilePath()).toUtf8().constData())});
    return samples;
}

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent), samples_(make_list(tr("Samples"))), recent_(make_list(tr("Recent files"))),
      lessons_(make_list(tr("Lessons"))), continue_(new QPushButton), begin_(new QPushButton) {
    setAutoFillBackground(true);
    auto* content = new QWidget;
    auto* scroll = new QScrollArea;  // in large type it is higher than a small window
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusProxy(scroll);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    auto* outer = new QHBoxLayout(content);
    auto* page = new QWidget;
    page->setMaximumWidth(900);
    outer->addStretch(1);
    outer->addWidget(page, 20);
    outer->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(10);
    column->addLayout(buildHead());
    column->addSpacing(12);
    column->addLayout(buildLists());
    auto* words = new QLabel(
        tr("A <b>backend</b> is a compiler that takes some operators: <b>dnnl</b> calls oneDNN's fast kernels, "
           "<b>ccompiler</b> writes C and compiles it. What no backend takes runs on <b>default</b>, Partita's own "
           "kernels. Neighbouring operators of one backend are compiled together: a <b>region</b>."));
    words->setObjectName(QStringLiteral("first-words"));
    words->setWordWrap(true);
    column->insertWidget(1, words);
    begin_->setObjectName(QStringLiteral("begin-lesson"));
    connect(begin_, &QPushButton::clicked, this, [this] { emit lessonChosen(next_lesson_); });
    auto* open = new QPushButton(tr("Open a module…"));
    open->setDefault(true);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openWanted);
    continue_->setObjectName(QStringLiteral("go-on"));
    connect(continue_, &QPushButton::clicked, this, &WelcomePage::continueWanted);
    int place = 2;
    for (QPushButton* button : {open, continue_, begin_}) column->insertWidget(place++, button, 0, Qt::AlignLeft);
    auto* hint =
        new QLabel(tr("Relay text (.relay) and ONNX (.onnx) can also be dropped here: two files are compared."));
    hint->setWordWrap(true);
    hint->setEnabled(false);
    column->addWidget(hint);
    column->addStretch(1);
    setRecentFiles({});
}

QLayout* WelcomePage::buildHead() {
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    auto* logo = new QLabel;
    logo->setPixmap(application_icon().pixmap(64, 64));
    auto* words =
        new QLabel(QStringLiteral("<span style='font-size:20pt; font-weight:600'>Partita</span><br>%1")
                       .arg(tr("See how a neural network is divided among compilers, change it, and run the result.")));
    words->setWordWrap(true);
    head->addWidget(logo);
    head->addWidget(words, 1);
    return head;
}

QLayout* WelcomePage::buildLists() {
    auto* lists = new QHBoxLayout;
    lists->setSpacing(24);
    auto *left = new QVBoxLayout, *right = new QVBoxLayout;
    for (QVBoxLayout* side : {left, right}) {
        side->setSpacing(6);
        lists->addLayout(side, 1);
    }
    const auto add = [](QVBoxLayout& side, const QString& title, QListWidget* list) {
        side.addWidget(make_heading(title));
        side.addWidget(list);
    };
    for (const Sample& sample : find_samples()) add_file(*samples_, sample.path, sample.title, sample.line);
    if (samples_->count() == 0) add_note(*samples_, tr("The samples were not installed with the program."));
    add(*left, tr("Lessons"), lessons_);
    add(*right, tr("Recent files"), recent_);
    right->addSpacing(8);
    add(*right, tr("Samples"), samples_);
    for (QVBoxLayout* side : {left, right}) side->addStretch(1);
    for (QListWidget* list : {samples_, recent_}) {
        const auto choose = [this](QListWidgetItem* item) { emit fileChosen(item->data(Qt::UserRole).toString()); };
        connect(list, &QListWidget::itemActivated, this, choose);
        connect(list, &QListWidget::itemClicked, this, choose);
    }
    const auto choose_lesson = [this](QListWidgetItem* item) { emit lessonChosen(lessons_->row(item)); };
    connect(lessons_, &QListWidget::itemActivated, this, choose_lesson);
    connect(lessons_, &QListWidget::itemClicked, this, choose_lesson);
    return lists;
}

void WelcomePage::setSession(bool there, const QString& title) {
    continue_->setVisible(there);
    continue_->setText(title.isEmpty() ? tr("Go on where you left")
                                       : tr("Go on with %1").arg(as_title(shortened(shown_name(title), 40))));
    continue_->setToolTip(tr("Open the last module with its division"));
}

void WelcomePage::setLessons(const std::vector<WelcomeLesson>& lessons) {
    lessons_->clear();
    next_lesson_ = 0;
    bool begun = false;
    for (const WelcomeLesson& lesson : lessons) {
        const QString title = lesson.done ? lesson.title + QStringLiteral("  ✓") : lesson.title;
        auto* item = new QListWidgetItem(lesson.line.isEmpty() ? title : title + QLatin1Char('\n') + lesson.line);
        if (lesson.done) item->setToolTip(tr("Every question was answered right"));
        lessons_->addItem(item);
        begun |= lesson.done;
        if (lesson.done && next_lesson_ + 1 == lessons_->count()) ++next_lesson_;
    }
    fitLists();
    begin_->setVisible(!lessons.empty());
    if (lessons.empty()) return;
    next_lesson_ %= int(lessons.size());
    const QString title = as_title(shortened(lessons[size_t(next_lesson_)].title, 60));
    begin_->setText(begun ? tr("Next lesson: %1").arg(title) : tr("Begin here: %1").arg(title));
}

/// Lists are as high as their rows: the page scrolls, not each of them.
void WelcomePage::fitLists() {
    if (!isVisible()) return;  // until it is shown
    for (QListWidget* list : {samples_, recent_, lessons_}) {
        int height = 2;
        for (int row = 0; row < list->count(); ++row) height += list->sizeHintForRow(row) + 2 * list->spacing();
        list->setFixedHeight(std::max(height, list->fontMetrics().lineSpacing() * 3));
    }
}

void WelcomePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, &WelcomePage::fitLists);  // when the lists have their width
}

void WelcomePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    QTimer::singleShot(0, this, &WelcomePage::fitLists);
}

void WelcomePage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) QTimer::singleShot(0, this, &WelcomePage::fitLists);
}

void WelcomePage::setRecentFiles(const QStringList& files) {
    recent_->clear();
    for (const QString& path : files)
        add_file(*recent_, path, shown_name(QFileInfo(path).fileName()), shown_name(QFileInfo(path).path()));
    if (files.isEmpty()) add_note(*recent_, tr("Files that you open appear here."));
    fitLists();
}

}  // namespace partita
