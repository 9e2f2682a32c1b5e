#include "engine/lessons/lesson_handout.h"

namespace partita {

namespace {

LessonHandoutWords german_words() {
    LessonHandoutWords words;
    words.name = "Name";
    words.date = "Datum";
    words.solutions = "Lösungen";
    words.backends = "Backends";
    words.predict =
        "Welches Backend übernimmt welchen Operator, und welche Operatoren werden zusammen als eine Region übersetzt?";
    words.draw = "Schreiben Sie an jeden Operator sein Backend, und ziehen Sie um jede Region eine Linie.";
    words.answer = "Antwort:";
    words.given = "Gegeben:";
    words.select = "Auf Papier: Kreisen Sie diese Operatoren im Bild ein.";
    words.assign = "Auf Papier: Schreiben Sie im Bild an jeden dieser Operatoren sein Backend.";
    words.path = "Auf Papier: Zeichnen Sie den Weg in das Bild.";
    words.reason = "Auf Papier: Kreuzen Sie eines an.";
    words.rule = "Auf Papier: Schreiben Sie die Regel.";
    words.faster = "Auf Papier: Schreiben Sie auf, was Sie ändern, und zeichnen Sie die Regionen, die sich ergeben.";
    words.regions = "Auf Papier: Ziehen Sie um jede Region eine Linie.";
    words.order = "Reihenfolge der Backends:";
    return words;
}

LessonHandoutWords chinese_words() {
    LessonHandoutWords words;
    words.name = "姓名";
    words.date = "日期";
    words.solutions = "答案";
    words.backends = "后端";
    words.predict = "每个算子由哪个后端接受？哪些算子会作为一个区域一起编译？";
    words.draw = "请在每个算子旁写上它的后端，并圈出每个区域。";
    words.answer = "答：";
    words.given = "已知：";
    words.select = "在纸上：在图中圈出这些算子。";
    words.assign = "在纸上：在图中这些算子旁写上各自的后端。";
    words.path = "在纸上：在图中画出这条路径。";
    words.reason = "在纸上：勾选一项。";
    words.rule = "在纸上：写出规则。";
    words.faster = "在纸上：写下你的改动，并画出由此得到的区域。";
    words.regions = "在纸上：圈出每个区域。";
    words.order = "后端的顺序：";
    return words;
}

}  // namespace

LessonHandoutWords handout_words(std::string_view language) {
    if (language.starts_with("de")) return german_words();
    if (language.starts_with("zh")) return chinese_words();
    return {};
}

}  // namespace partita
