#include "app/gui/window/settings.h"

#include <algorithm>

#include <QFileInfo>
#include <QSettings>

namespace partita {

namespace {

constexpr int kMostRecentFiles = 12;
constexpr size_t kMostDimensionFiles = 500;

template <class Enum>
Enum read_enum(const QSettings& store, const QString& key, Enum fallback, int last) {
    return Enum(std::clamp(store.value(key, int(fallback)).toInt(), 0, last));
}

DimensionsByFile read_dimensions(const QVariantMap& files) {
    DimensionsByFile all;
    for (auto file = files.begin(); file != files.end() && all.size() < kMostDimensionFiles; ++file) {
        const QVariantMap values = file.value().toMap();
        for (auto value = values.begin(); value != values.end(); ++value)
            if (value.value().toLongLong() > 0) all[file.key()][value.key().toStdString()] = value.value().toLongLong();
    }
    return all;
}

QVariantMap dimensions_value(const DimensionsByFile& all) {
    QVariantMap files;
    for (const auto& [file, dimensions] : all) {
        QVariantMap values;
        for (const auto& [symbol, value] : dimensions) values[QString::fromStdString(symbol)] = qlonglong(value);
        files[file] = values;
    }
    return files;
}

}  // namespace

Settings Settings::load() {
    const QSettings store;
    Settings settings;
    settings.theme = read_enum(store, QStringLiteral("theme"), settings.theme, int(ThemeChoice::Dark));
    settings.palette = read_enum(store, QStringLiteral("palette"), settings.palette, int(PaletteChoice::HighContrast));
    CanvasOptions& canvas = settings.canvas;
    canvas.animated = store.value(QStringLiteral("canvas/animated"), canvas.animated).toBool();
    canvas.edge_types = store.value(QStringLiteral("canvas/edge_types"), canvas.edge_types).toBool();
    canvas.minimap = store.value(QStringLiteral("canvas/minimap"), canvas.minimap).toBool();
    canvas.edge_widths = store.value(QStringLiteral("canvas/edge_widths"), canvas.edge_widths).toBool();
    canvas.left_to_right = store.value(QStringLiteral("canvas/left_to_right"), canvas.left_to_right).toBool();
    canvas.model.show_names = store.value(QStringLiteral("canvas/names"), canvas.model.show_names).toBool();
    canvas.model.show_weights = store.value(QStringLiteral("canvas/weights"), canvas.model.show_weights).toBool();
    canvas.model.show_attributes =
        store.value(QStringLiteral("canvas/attributes"), canvas.model.show_attributes).toBool();
    const QVariantMap attributes = store.value(QStringLiteral("canvas/node_attributes")).toMap();
    for (auto attribute = attributes.begin(); attribute != attributes.end(); ++attribute)
        canvas.model.attributes[attribute.key()] = attribute.value().toBool();
    canvas.query_colours = store.value(QStringLiteral("canvas/query_colours")).toStringList().mid(0, Theme::kTints);
    canvas.model.show_types = store.value(QStringLiteral("canvas/types"), canvas.model.show_types).toBool();
    settings.run.compare = store.value(QStringLiteral("run/compare"), settings.run.compare).toBool();
    settings.run.threads =
        std::clamp(store.value(QStringLiteral("run/threads"), settings.run.threads).toInt(), 0, 1024);
    settings.run.warmup = std::clamp(store.value(QStringLiteral("run/warmup"), settings.run.warmup).toInt(), 0, 1000);
    settings.run.repeat = std::clamp(store.value(QStringLiteral("run/repeat"), settings.run.repeat).toInt(), 1, 1000);
    settings.text_scale = std::clamp(store.value(QStringLiteral("text_scale"), 1.0).toDouble(), 0.75, 2.5);
    settings.language = store.value(QStringLiteral("language")).toString();
    settings.compiler = store.value(QStringLiteral("compiler/program")).toString();
    settings.compiler_flags = store.value(QStringLiteral("compiler/flags")).toString();
    if (const QVariant backends = store.value(QStringLiteral("chosen_backends")); backends.isValid())
        settings.backends = backends.toStringList();
    settings.dimensions = read_dimensions(store.value(QStringLiteral("dimensions")).toMap());
    settings.recent_files = store.value(QStringLiteral("recent_files")).toStringList();
    settings.backend_files = store.value(QStringLiteral("backend_files")).toStringList().mid(0, kMostRecentFiles);
    return settings;
}

bool Settings::save() const {
    QSettings store;
    store.setValue(QStringLiteral("theme"), int(theme));
    store.setValue(QStringLiteral("palette"), int(palette));
    store.setValue(QStringLiteral("canvas/animated"), canvas.animated);
    store.setValue(QStringLiteral("canvas/edge_types"), canvas.edge_types);
    store.setValue(QStringLiteral("canvas/minimap"), canvas.minimap);
    store.setValue(QStringLiteral("canvas/edge_widths"), canvas.edge_widths);
    store.setValue(QStringLiteral("canvas/left_to_right"), canvas.left_to_right);
    store.setValue(QStringLiteral("canvas/names"), canvas.model.show_names);
    store.setValue(QStringLiteral("canvas/weights"), canvas.model.show_weights);
    store.setValue(QStringLiteral("canvas/attributes"), canvas.model.show_attributes);
    store.setValue(QStringLiteral("canvas/types"), canvas.model.show_types);
    QVariantMap attributes;
    for (auto attribute = canvas.model.attributes.begin(); attribute != canvas.model.attributes.end(); ++attribute)
        attributes[attribute.key()] = attribute.value();
    store.setValue(QStringLiteral("canvas/node_attributes"), attributes);
    store.setValue(QStringLiteral("canvas/query_colours"), canvas.query_colours);
    store.setValue(QStringLiteral("run/compare"), run.compare);
    store.setValue(QStringLiteral("run/threads"), run.threads);
    store.setValue(QStringLiteral("run/warmup"), run.warmup);
    store.setValue(QStringLiteral("run/repeat"), run.repeat);
    store.setValue(QStringLiteral("text_scale"), text_scale);
    store.setValue(QStringLiteral("language"), language);
    store.setValue(QStringLiteral("compiler/program"), compiler);
    store.setValue(QStringLiteral("compiler/flags"), compiler_flags);
    if (backends) store.setValue(QStringLiteral("chosen_backends"), *backends);
    else store.remove(QStringLiteral("chosen_backends"));
    store.setValue(QStringLiteral("dimensions"), dimensions_value(dimensions));
    store.setValue(QStringLiteral("recent_files"), recent_files);
    store.setValue(QStringLiteral("backend_files"), backend_files);
    store.sync();
    return store.status() == QSettings::NoError;
}

void Settings::applyCompiler() const {
    // What the environment says at the start stays where the settings say nothing.
    static const QByteArray program = qgetenv("PARTITA_CC"), flags = qgetenv("PARTITA_CFLAGS");
    const auto set = [](const char* name, const QString& wanted, const QByteArray& before) {
        const QByteArray value = wanted.trimmed().isEmpty() ? before : wanted.trimmed().toLocal8Bit();
        if (value == qgetenv(name)) return;
        value.isEmpty() ? qunsetenv(name) : qputenv(name, value);
    };
    set("PARTITA_CC", compiler, program);
    set("PARTITA_CFLAGS", compiler_flags, flags);
}

static void put_in_front(QStringList& files, const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    while (files.size() > kMostRecentFiles) files.removeLast();
}

void Settings::remember(const QString& path) { put_in_front(recent_files, path); }

void Settings::rememberBackendFile(const QString& path) { put_in_front(backend_files, path); }

}  // namespace partita
