// The settings, in one dialog. What is changed takes effect at once; Cancel takes it back.
#pragma once

#include <QDialog>

#include "app/gui/window/settings.h"

namespace partita {

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    SettingsDialog(const Settings& settings, QWidget* parent);
    const Settings& settings() const { return settings_; }

signals:
    void changed(const partita::Settings& settings);

private:
    void build();

    Settings settings_;
    const Settings before_;
};

}  // namespace partita
