// The settings, in one dialog. What is changed takes effect at once; Cancel takes it back.
#pragma once

#include <QDialog>

#include "app/gui/window/settings.h"

class QScrollArea;

namespace partita {

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    SettingsDialog(const Settings& settings, QWidget* parent);
    const Settings& settings() const { return settings_; }

signals:
    void changed(const partita::Settings& settings);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void fit();

    Settings settings_;
    const Settings before_;
    QScrollArea* scroll_ = nullptr;
};

}  // namespace partita
