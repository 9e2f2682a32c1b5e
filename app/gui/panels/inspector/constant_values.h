// The values of a constant, or of a result of a region that flowed, for the inspector: statistics, the first of them, a
// histogram. Small tensors in memory are told at once; what has to be read from a file, or is large, when somebody
// asks, on a worker.
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
    /// Whether there are values of an expression of the shown module.
    bool has(ExprId id) const { return tensor(id) != nullptr; }
    /// Rich text of them, with links "values:ID", "npy:ID", and "npydefault:ID" for what default computed.
    QString text(ExprId id, const Theme& theme);
    /// Reads the values; `ready` follows.
    void ask(ExprId constant);
    /// Asks for a file and writes the tensor there, on a worker.
    void save(ExprId id, bool of_default = false);

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
    bool isConstant(ExprId id) const;
    /// What a region gave; null where nothing is known of it.
    const RegionValue* flowed(ExprId id) const;
    /// Null where nothing is known of it.
    const Tensor* tensor(ExprId id) const;
    QString differenceRows(ExprId id) const;

    Document& document_;
    QWidget& window_;
    ModulePtr module_;        ///< that the answer is of
    FlowedValuesPtr flowed_;  ///< as `module_`
    ExprId constant_;
    std::optional<Answer> answer_;
    quint64 job_ = 0;
};

}  // namespace partita
