// One's own values for the inputs of the module that is run: files are chosen or dropped, checked on a worker, and kept
// by the document.
#pragma once

#include <QObject>
#include <QStringList>

#include "engine/session/input_files.h"

namespace partita {

class Document;

class RunInputs : public QObject {
    Q_OBJECT

public:
    RunInputs(Document& document, QWidget& window);

    /// Whether a file holds values rather than a module: an array or an image, by its ending.
    static bool isFor(const QString& path);
    /// Takes files for `parameter`, or with "" each for the input that it fits. A box says what does not fit.
    void add(const QStringList& paths, const QString& parameter = {});
    /// Lets the input be made again.
    void remove(const std::string& parameter);
    /// Reads the same image in another way.
    void setImage(const std::string& parameter, const ImageForm& form);
    void showDialog();

signals:
    /// Something for the status bar.
    void told(const QString& sentence);

private:
    void accept(const std::vector<InputFile>& files);

    Document& document_;
    QWidget& window_;
};

}  // namespace partita
