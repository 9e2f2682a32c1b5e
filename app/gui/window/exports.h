// Writes what the window shows: asks for a file or a folder, works on a worker, and tells of a failure in a dialog.
#pragma once

#include <functional>
#include <optional>

#include <QObject>
#include <QString>

#include "app/gui/canvas/graph_paper.h"
#include "engine/runtime/machine.h"
#include "engine/support/diagnostic.h"

class QWidget;

namespace partita {

class Document;

/// Tells that something was not written; `elsewhere` lets the person choose another place.
void tell_not_written(QWidget& window, const QString& path, const QString& message,
                      const std::function<void()>& elsewhere);

class Exports : public QObject {
    Q_OBJECT

public:
    /// `machine` gives what the machine was measured to do.
    Exports(Document& document, std::function<std::optional<MachineLimits>()> machine, QWidget& window);
    /// Tells what the canvas shows, which files of pictures show as well; nothing where no graph is shown.
    void setPaper(std::function<std::optional<GraphPaper>()> paper) { paper_ = std::move(paper); }

    void choose();
    void chooseReport();
    /// Asks for a folder that gets C sources.
    void chooseC();
    /// Asks for a folder that gets one ONNX model for each region, and their manifest.
    void chooseOnnx();
    /// `form` is the name of an export form; "": the one that the path's ending stands for.
    /// `force`: also over files that no export wrote, where several are written.
    void write(const QString& path, const QString& form = {}, bool force = false);
    /// Tells how the writing of a file ended. `is_foreign`: TVM lacks some of its operators, though it reads the form.
    void tellWritten(const Status& status, const QString& path, const QString& form, bool is_foreign = false);

signals:
    void written(const QString& path, bool is_foreign);
    void failed(const QString& message);

private:
    void writePicture(const GraphPaper& paper, const QString& path, const QString& form);
    void chooseFolder(const QString& title, const QString& ending, const QString& form);
    void chooseAgain(const QString& form);

    Document& document_;
    std::function<std::optional<MachineLimits>()> machine_;
    std::function<std::optional<GraphPaper>()> paper_;
    QWidget& window_;
};

}  // namespace partita
