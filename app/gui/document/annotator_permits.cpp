#include "app/gui/document/annotator_permits.h"

#include <QCryptographicHash>
#include <QSettings>
#include <QStringList>

#include "engine/rules/annotated_backend.h"

namespace partita {

namespace {

const QString kKindOfKey = QStringLiteral("annotator ");
constexpr qsizetype kMostPermits = 500;

QStringList permits() { return QSettings().value(permits_key()).toStringList(); }

}  // namespace

QString permits_key() { return QStringLiteral("run/trusted_code"); }

AnnotatorPermit permit_for(const BackendDescription& backend) {
    AnnotatorPermit permit{backend, {}};
    auto files = std::make_shared<AnnotatorFiles>(files_of_annotator(backend));
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(files->content()), QCryptographicHash::Sha256).toHex();
    permit.described.annotator_files = std::move(files);
    permit.key = kKindOfKey + QString::fromStdString(backend.annotator) + QLatin1Char(' ') + QString::fromLatin1(hash);
    return permit;
}

bool is_permitted(const AnnotatorPermit& permit) { return permits().contains(permit.key); }

void give_permit(const AnnotatorPermit& permit) {
    QStringList all = permits();
    if (all.contains(permit.key)) return;
    qsizetype others = 0;
    for (const QString& key : std::as_const(all)) others += key.startsWith(kKindOfKey);
    for (qsizetype i = 0; i < all.size() && others >= kMostPermits;) {
        if (all[i].startsWith(kKindOfKey)) {
            all.removeAt(i);
            --others;
        } else {
            ++i;
        }
    }
    QSettings().setValue(permits_key(), all << permit.key);
}

bool is_anything_permitted() { return !permits().isEmpty(); }

void forget_permits() { QSettings().remove(permits_key()); }

}  // namespace partita
