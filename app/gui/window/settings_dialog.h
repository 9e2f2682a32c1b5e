// The settings, in one dialog. What is changed takes effect at once; Cancel takes it back.
#pragma once

#include <functional>

#include <QDialog>

#include "app/gui/window/settings.h"

class QComboBox;
class QFormLayout;
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
    void addAppearance();
    void addGraph();
    void addRunning();
    void addPermissions();
    void addHeading(const QString& text);
    QComboBox* addChoice(const QString& text, const QStringList& choices, int chosen,
                         const std::function<void(int)>& choose);
    void addSwitch(const QString& text, bool& value);
    void addNumber(const QString& text, int& value, int low, int high, const QString& special = {});
    void addText(const QString& text, QString& value, const QString& placeholder, const QString& name);
    void fit();

    Settings settings_;
    const Settings before_;
    QScrollArea* scroll_ = nullptr;
    QFormLayout* form_ = nullptr;
};

}  // namespace partita
