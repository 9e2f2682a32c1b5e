// What the menus of the table of commands have in common: the parts of the window that commands work on, and why a
// command can't be run now.
#pragma once

#include <functional>

#include <QObject>

#include "app/gui/window/command_reasons.h"
#include "app/gui/window/commands.h"

namespace partita {

class Document;
class FileOpening;
class GraphEditor;
class MainWindow;
class Pages;
class Panels;
class Presentation;
class RunInputs;
class StatusLine;
struct Settings;
struct Theme;

/// All outlive the menus.
struct WindowParts {
    MainWindow& window;
    Document& document;
    Settings& settings;
    const Theme& theme;
    FileOpening& opening;
    RunInputs& inputs;
    Pages& pages;
    Panels& panels;
    Presentation& presentation;
    GraphEditor& editor;
    StatusLine& status;
    Commands& commands;
    CommandReasons reasons;
    std::function<void()> update;  ///< says anew what can be done
};

class WindowMenu : public QObject {
public:
    WindowMenu(const WindowParts& parts, QObject* parent) : QObject(parent), parts_(parts) {}

protected:
    Command::Reason needs(QString (CommandReasons::*what)() const) const {
        return [this, what] { return (parts_.reasons.*what)(); };
    }

    const WindowParts parts_;
};

}  // namespace partita
