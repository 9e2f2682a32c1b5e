// Opening files, links and what a crash left behind, and what is done once they are open.
#pragma once

#include <optional>

#include <QObject>
#include <QStringList>

#include "app/gui/window/session_view.h"
#include "engine/support/place_link.h"

namespace partita {

class Document;
class Leaving;
class MainWindow;
class ReportFiles;
class StatusLine;
struct Settings;

class FileOpening : public QObject {
    Q_OBJECT

public:
    FileOpening(MainWindow& window, Settings& settings, StatusLine& status, Leaving& leaving);

    /// What other programs said of the model.
    ReportFiles& reports() { return *reports_; }
    /// Asks what to do with what a crash left behind, if there is something; else goes on with what was kept for this
    /// start. True if one of them is opened: `file`, which was to be opened, waits until somebody asks for it again.
    bool offerRecovery(const QString& file = {});
    void openFile(const QString& path);
    /// Two are compared; of more the first is opened, and the others are among the recent ones.
    void openFiles(const QStringList& paths, const PlaceLink& place = {});
    /// The other is held against it as soon as it is open; "" for none.
    void openAndCompare(const QString& path, const QString& other, const QStringList& reports = {},
                        const PlaceLink& place = {});
    /// Opens the file of a link, unless it is open, and goes to the place.
    void openLink(const PlaceLink& link);
    void chooseFile();
    void chooseLink();
    /// Asks for the values of the model's symbolic dimensions, and reads it again with them.
    void chooseDimensions();
    void keepRecentFiles();

    // Of what was opened just now.
    void rememberOpened();
    /// What the tabs showed when it was left; none where it is not gone on with.
    const std::optional<SessionView>& view() const { return when_opened_.view; }
    /// Does what it was opened for.
    void goOn();

signals:
    /// A file is being read.
    void began();
    void recentFilesChanged();

private:
    QString askForRecovery();
    void tellNotOpened(const QString& path, const QString& message);

    MainWindow& window_;
    Document& document_;
    Settings& settings_;
    StatusLine& status_;
    Leaving& leaving_;
    ReportFiles* reports_;
    struct {
        QString compared;                 ///< the file that is held against the one being opened
        std::optional<SessionView> view;  ///< that is shown again
        QStringList reports;              ///< of other programs, on the file being opened
        PlaceLink place;                  ///< that is gone to
    } when_opened_;
};

}  // namespace partita
