// The values of a constant for the inspector: statistics, the first of them, a histogram. Small tensors in memory are
// told at once; what has to be read from a file, or is large, when somebody asks, on a worker.
#pragma once

#include <functional>
#include <optional>

#include <QObject>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/ir/tensor_statistics.h"

class QWidget;

namespace partita {

class ConstantValues : public QObject {
    Q_OBJECT

public:
    ConstantValues(Document& document, QWidget& window);
    /// Rich text of a constant of the shown module, with links "values:ID" and "npy:ID".
    QString text(ExprId constant, const Theme& theme);
    /// Reads the values; `ready` follows.
    void ask(ExprId constant);
    /// Asks for a file and writes the tensor there, on a worker.
    void save(ExprId constant);

signals:
    void ready();
    /// Of what was written, or could not be.
    void told(const QString& sentence);

private:
    struct Answer {
        std::optional<TensorStatistics> statistics;
        QString fault;
    };
    static Answer read(const Tensor& tensor, const CancelToken& cancel);
    const Tensor& tensor(ExprId constant) const { return document_.shownModule()->constant(constant); }

    Document& document_;
    QWidget& window_;
    ModulePtr module_;  ///< that the answer is of
    ExprId constant_;
    std::optional<Answer> answer_;
    quint64 job_ = 0;
};

}  // namespace partita
