#include "app/gui/window/run_inputs.h"

#include <QFileInfo>
#include <QImageReader>

#include "app/gui/document/document.h"
#include "app/gui/document/inputs_text.h"
#include "app/gui/document/read_image.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/inputs_dialog.h"

namespace partita {

RunInputs::RunInputs(Document& document, QWidget& window) : QObject(&window), document_(document), window_(window) {}

bool RunInputs::isFor(const QString& path) {
    const QByteArray ending = QFileInfo(path).suffix().toLower().toUtf8();
    return ending == "npy" || ending == "npz" || QImageReader::supportedImageFormats().contains(ending);
}

void RunInputs::add(const QStringList& paths, const QString& parameter) {
    if (!document_.isOpen()) {
        emit told(tr("Open a module first: these are values for its inputs."));
        return;
    }
    using Assigned = Result<std::vector<InputFile>>;
    document_.jobs().start<Assigned>(
        tr("Reading inputs"), this,
        [module = document_.module(), paths, name = parameter.toStdString()](const JobContext& context) -> Assigned {
            std::vector<InputFile> all;
            for (const QString& path : paths) {
                if (context.cancel.cancelled()) return error("cancelled");
                const std::string file = QFileInfo(path).absoluteFilePath().toStdString();
                Assigned files = assign_input_file(*module, file, name, read_image);
                if (!files) return files;
                all.insert(all.end(), files->begin(), files->end());
            }
            return all;
        },
        [this, module = document_.module()](const Assigned& files) {
            if (module != document_.module()) return;
            if (files) accept(*files);
            else show_warning(&window_, tr("The input was not taken"), shown_message(files.error().to_string()));
        });
}

void RunInputs::accept(const std::vector<InputFile>& files) {
    std::vector<InputFile> inputs = document_.inputs();
    for (const InputFile& file : files) {
        std::erase_if(inputs, [&file](const InputFile& old) { return old.parameter == file.parameter; });
        inputs.push_back(file);
    }
    document_.setInputs(std::move(inputs));
    emit told(tr("The next run takes %1").arg(inputs_text(files)));
}

void RunInputs::remove(const std::string& parameter) {
    std::vector<InputFile> inputs = document_.inputs();
    std::erase_if(inputs, [&parameter](const InputFile& file) { return file.parameter == parameter; });
    document_.setInputs(std::move(inputs));
}

void RunInputs::setImage(const std::string& parameter, const ImageForm& form) {
    std::vector<InputFile> inputs = document_.inputs();
    for (InputFile& file : inputs)
        if (file.parameter == parameter && file.image) file.image = form;
    document_.setInputs(std::move(inputs));
}

void RunInputs::showDialog() {
    auto* dialog = new InputsDialog(document_, *this, &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace partita
