// The signals by which a system asks a program to end (SIGTERM, SIGHUP, SIGINT), as a signal of Qt's. The first of a
// kind asks; the second ends the process at once, as it would without this.
#pragma once

#include <QObject>

namespace partita {

/// There is one at a time. A signal that the starting process had ignored stays ignored (nohup).
class EndSignals : public QObject {
    Q_OBJECT

public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

signals:
    void asked();

private:
    int read_end_ = -1;
};

}  // namespace partita
