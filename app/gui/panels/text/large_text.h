// Text of a hundred thousand lines in an editor: the lines and their colours are made on a worker, and freed there.
#pragma once

#include <memory>

#include <QPlainTextEdit>
#include <QTextDocument>

#include "app/gui/jobs/job_runner.h"
#include "app/gui/panels/text/line_colours.h"

namespace partita {

/// Shorter text is set at once: a job would take longer to start.
inline constexpr qsizetype kShortText = 100'000;

/// Shows large texts in one editor. Not for two editors at once; lives as long as the editor.
class LargeText : public QObject {
    Q_OBJECT

public:
    LargeText(QPlainTextEdit& edit, JobRunner& jobs);
    ~LargeText() override;
    /// Shows coloured text; `done` runs when it is there.
    void show(const QString& text, const Theme& theme, std::function<void()> done,
              TextLanguage language = TextLanguage::Relay);
    /// Shows the editor's own document and returns it, for short text.
    QTextDocument* reset();
    bool shown() const { return document_ != nullptr; }

private:
    void release();

    QPlainTextEdit& edit_;
    JobRunner& jobs_;
    QTextDocument* own_;
    QTextDocument* document_ = nullptr;
    quint64 job_ = 0;
};

}  // namespace partita
