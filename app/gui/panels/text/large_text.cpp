#include "app/gui/panels/text/large_text.h"

#include <utility>

#include <QPlainTextDocumentLayout>
#include <QTextBlock>
#include <QThread>

namespace partita {

namespace {

/// Held by a job's result until the editor takes it.
struct MadeDocument {
    std::unique_ptr<QTextDocument> document;
};

/// `owner` is the thread that will show it.
std::shared_ptr<MadeDocument> make_document(const QString& text, const QFont& font, const LineColours& colours,
                                            QThread* owner) {
    auto made = std::make_shared<MadeDocument>();
    made->document = std::make_unique<QTextDocument>();
    QTextDocument& document = *made->document;
    document.setUndoRedoEnabled(false);
    document.setDocumentLayout(new QPlainTextDocumentLayout(&document));
    document.setDefaultFont(font);
    document.setPlainText(text);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        block.layout()->setFormats(colours.of(block.text()));
    document.moveToThread(owner);
    return made;
}

}  // namespace

LargeText::LargeText(QPlainTextEdit& edit, JobRunner& jobs)
    : QObject(&edit), edit_(edit), jobs_(jobs), own_(edit.document()) {
    own_->setParent(this);  // the editor would delete it when another is shown
}

LargeText::~LargeText() {
    if (job_) jobs_.cancel(job_);
    delete document_;
}

void LargeText::show(const QString& text, const Theme& theme, std::function<void()> done, TextLanguage language) {
    if (job_) jobs_.cancel(job_);
    job_ = jobs_.start<std::shared_ptr<MadeDocument>>(
        tr("Colouring text"), this,
        [text, font = edit_.font(), colours = LineColours(theme, language), owner = thread()](const JobContext&) {
            return make_document(text, font, colours, owner);
        },
        [this, done = std::move(done)](const std::shared_ptr<MadeDocument>& made) {
            job_ = 0;
            edit_.setDocument(made->document.get());
            release();
            document_ = made->document.release();
            done();
        });
}

QTextDocument* LargeText::reset() {
    if (job_) jobs_.cancel(job_);
    job_ = 0;
    if (!document_) return own_;
    edit_.setDocument(own_);
    release();
    return own_;
}

void LargeText::release() {
    QTextDocument* old = std::exchange(document_, nullptr);
    if (!old) return;
    old->moveToThread(nullptr);
    jobs_.startQuietly([old] { delete old; });
}

}  // namespace partita
