// Why a command of the window can't be run now, as a sentence that says what to do first; "" where it can.
#pragma once

#include <QCoreApplication>

class QWidget;

namespace partita {

class Document;
class Pages;
class Panels;
class Presentation;

class CommandReasons {
    Q_DECLARE_TR_FUNCTIONS(partita::CommandReasons)

public:
    /// All must outlive this.
    CommandReasons(const QWidget& window, const Document& document, const Pages& pages, const Panels& panels,
                   const Presentation& presentation)
        : window_(window), document_(document), pages_(pages), panels_(panels), presentation_(presentation) {}

    QString module() const;
    QString otherModel() const;
    /// Also says that an open question of a lesson would be answered.
    QString moduleToDivide() const;
    QString lesson() const;
    QString lessonToEdit() const;
    QString hiddenQuestion() const;
    QString graph() const;
    QString selection() const;
    QString twoNodes() const;
    QString ownAnnotations() const;
    QString operators() const;
    QString backends() const;
    QString steps() const;
    QString regionsOfRun() const;

private:
    const QWidget& window_;
    const Document& document_;
    const Pages& pages_;
    const Panels& panels_;
    const Presentation& presentation_;
};

}  // namespace partita
