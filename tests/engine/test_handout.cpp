// Hand-outs: what stands in the exercises and what in the solutions, and the pages of the file.
#include <QPointF>
#include <QRegularExpression>
#include <QtTest>

#include "engine/exporters/drawing.h"
#include "engine/exporters/picture_groups.h"
#include "engine/layout/free_corner.h"
#include "engine/layout/pages.h"
#include "engine/lessons/lesson_handout.h"
#include "engine/lessons/question_kinds.h"
#include "engine/session/export.h"
#include "engine/support/embedded_texts.h"
#include "tests/registry.h"

namespace test_handout {

using namespace partita;

namespace {

using Kind = HandoutBlock::Kind;

Lesson shipped(std::string_view text) {
    CheckedLesson read = read_lesson(text, "lesson");
    if (!read.lesson) qFatal("a lesson that ships has faults");
    return std::move(*read.lesson);
}

int count(const std::vector<HandoutBlock>& blocks, Kind kind) {
    return int(std::count_if(blocks.begin(), blocks.end(), [kind](const auto& block) { return block.kind == kind; }));
}

std::string texts(const std::vector<HandoutBlock>& blocks) {
    std::string all;
    for (const HandoutBlock& block : blocks) all += block.text + "\n";
    return all;
}

qsizetype pages_of(const std::string& pdf) {
    const QByteArray bytes = QByteArray::fromStdString(pdf);
    return bytes.count("/Type /Page") - bytes.count("/Type /Pages");
}

/// Returns what draws each page, as far as it draws text.
std::vector<QByteArray> drawings_of(const std::string& pdf) {
    std::vector<QByteArray> drawings;
    const QByteArray bytes = QByteArray::fromStdString(pdf);
    for (qsizetype at = 0; (at = bytes.indexOf("stream\n", at)) >= 0;) {
        at += 7;
        if (bytes.mid(at - 10, 3) == "end") continue;
        // The length in front, which qUncompress wants, may be a guess.
        const QByteArray content =
            qUncompress(QByteArray("\0\1\0\0", 4) + bytes.mid(at, bytes.indexOf("endstream", at) - at));
        if (content.contains("Tj") || content.contains("TJ")) drawings.push_back(content);
    }
    return drawings;
}

/// Returns how much is drawn on each page, in bytes.
std::vector<qsizetype> drawn_on_pages(const std::string& pdf) {
    std::vector<qsizetype> lengths;
    for (const QByteArray& drawing : drawings_of(pdf)) lengths.push_back(drawing.size());
    return lengths;
}

/// Returns where a text of a page begins, in points: "size 0 0 -size x y Tm" says it.
QPointF place_of_text(const QByteArray& drawing, const QByteArray& text) {
    const qsizetype end = drawing.lastIndexOf(" Tm", drawing.indexOf("(" + text + ")Tj"));
    const QList<QByteArray> numbers = drawing.mid(drawing.lastIndexOf('\n', end) + 1, end).split(' ');
    return numbers.size() > 5 ? QPointF(numbers[4].toDouble(), numbers[5].toDouble()) : QPointF();
}

/// Returns a graph with a name that is not text.
ExportSubject hostile_subject() {
    Result<OpenedModule> opened = open_text(
        "#[version = \"0.0.5\"]\ndef @main(%\"a\\\"<b>*_`\": Tensor[(2, 2), float32]) {\n  exp(%\"a\\\"<b>*_`\")\n}\n",
        "test");
    if (!opened)
        opened = open_text("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 2), float32]) {\n  exp(%x)\n}\n", "t");
    return export_subject(opened->module, "**<script>`_\xff\x01 title");
}

/// Returns a graph of so many operators, one below the other.
ExportSubject chain_subject(int operators) {
    std::string body = "%x";
    for (int i = 0; i < operators; ++i) body = "exp(" + body + ")";
    const Result<OpenedModule> opened =
        open_text("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 2), float32]) {\n  " + body + "\n}\n", "test");
    if (!opened) qFatal("%s", opened.error().message.c_str());
    ExportSubject subject = export_subject(opened->module, "long");
    subject.grouping = PictureGrouping::None;
    return subject;
}

}  // namespace

class TestHandout : public QObject {
    Q_OBJECT

private slots:
    void lessonsThatShip_data() {
        QTest::addColumn<QByteArray>("text");
        for (const EmbeddedText& lesson : embedded_lessons())
            QTest::newRow(std::string(lesson.name).c_str()) << QByteArray(lesson.text.data(), lesson.text.size());
    }
    /// Each question has a place to answer it, and its answer stands among the solutions alone.
    void lessonsThatShip() {
        QFETCH(QByteArray, text);
        const Lesson lesson = shipped(text.toStdString());
        const LessonHandoutWords words;
        Result<Handout> handout = handout_of(lesson, words, CancelToken());
        QVERIFY(handout);
        const auto asks = [](const LessonPage& page) { return page.question.has_value(); };
        const int questions = int(std::count_if(lesson.pages.begin(), lesson.pages.end(), asks));
        QCOMPARE(count(handout->exercises, Kind::Question), questions);
        QCOMPARE(count(handout->solutions, Kind::Question), questions);
        QVERIFY(count(handout->exercises, Kind::Empty) > 0);
        QCOMPARE(count(handout->exercises, Kind::Picture), 0);
        // One of the lesson's division, and one of each that a page begins with or an answer makes.
        const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(lesson);
        const auto changes = [](const LessonPage& page) {
            return page.question->kind == QuestionKind::Rule || page.question->kind == QuestionKind::Faster;
        };
        const auto divides = [&](const LessonPage& page) {
            return asks(page) && (changes(page) || *LessonGraph::of(*graph, page) != *graph);
        };
        const bool large = (*graph)->calls().size() > 30;  // stands there once
        const int made = large ? 0 : int(std::count_if(lesson.pages.begin(), lesson.pages.end(), divides));
        const bool base = std::any_of(lesson.pages.begin(), lesson.pages.end(),
                                      [&](const LessonPage& page) { return asks(page) && !changes(page); });
        QCOMPARE(count(handout->solutions, Kind::Picture), made + (base ? 1 : 0));
        const std::string asked = texts(handout->exercises), solved = texts(handout->solutions);
        for (const LessonPage& page : lesson.pages) {
            if (!page.question || page.question->right.empty()) continue;
            QVERIFY(asked.find(page.question->right) == std::string::npos);
            QVERIFY(solved.find(page.question->right) != std::string::npos);
        }
        for (const PaperSize paper : {PaperSize::A4, PaperSize::Letter}) {
            Result<std::string> pdf = write_handouts({&*handout, 1}, paper, words, CancelToken());
            QVERIFY(pdf);
            QVERIFY2(pages_of(*pdf) >= 2 && pages_of(*pdf) < (large ? 12 : 8),
                     qPrintable(QString::number(pages_of(*pdf))));
        }
    }

    /// A page that begins with another division is asked of that, and its solution shows it.
    void aPageIsAskedOfItsOwnDivision() {
        Lesson lesson = shipped(embedded_lessons()[0].text);
        const auto asks = [](const LessonPage& page) {
            return page.question && page.question->kind == QuestionKind::Select;
        };
        LessonPage page = *std::find_if(lesson.pages.begin(), lesson.pages.end(), asks);
        const auto graph = LessonGraph::of(lesson);
        QVERIFY(graph);
        const LessonAnswer plain = solution_of(**graph, *page.question);
        QVERIFY(plain.calls.size() > 1);
        for (uint32_t call : plain.calls)
            if (call != page.question->calls[0]) page.with.backends[call] = "default";
        lesson.pages = {page};
        const Result<Handout> handout = handout_of(lesson, {}, CancelToken());
        QVERIFY(handout);
        QCOMPARE(count(handout->solutions, Kind::Picture), 2);
        const std::string own = expression_name((*graph)->module(), (*graph)->id(page.question->calls[0]));
        const std::string asked = texts(handout->exercises), solved = texts(handout->solutions);
        QVERIFY2(solved.find("Answer: " + markdown_text(own) + "\n") != std::string::npos, solved.c_str());
        QVERIFY2(asked.find("Given: ") != std::string::npos && asked.find("→ **default**") != std::string::npos,
                 asked.c_str());
        // With the division of the lesson nothing is given.
        lesson.pages[0].with = {};
        const Result<Handout> usual = handout_of(lesson, {}, CancelToken());
        QVERIFY(usual && texts(usual->exercises).find("Given: ") == std::string::npos);
        QCOMPARE(count(usual->solutions, Kind::Picture), 1);
    }

    /// The division that a rule or assignments make is the solution's picture; that from before is none.
    void aSolutionShowsWhatTheAnswerDivides() {
        for (const char* name : {"9-rule", "12-by-hand"}) {
            const auto named = [&](const EmbeddedText& each) { return each.name == name; };
            const Lesson lesson =
                shipped(std::find_if(embedded_lessons().begin(), embedded_lessons().end(), named)->text);
            const Result<Handout> handout = handout_of(lesson, {}, CancelToken());
            QVERIFY(handout);
            QCOMPARE(count(handout->solutions, Kind::Picture), 1);
            const auto picture =
                std::find_if(handout->solutions.begin(), handout->solutions.end(), [](const HandoutBlock& block) {
                    return block.kind == Kind::Picture;
                })->picture;
            QCOMPARE(picture->clusters.size(), size_t(1));
        }
    }

    void aWideGraphHasNoPageWithoutANode() {
        // A staircase: most of its area is empty.
        std::vector<LayoutBox> nodes;
        for (int i = 0; i < 12; ++i) nodes.push_back({i * 500.0, i * 500.0, i * 500.0 + 100, i * 500.0 + 40});
        const std::vector<PagePiece> pieces = divide_over_pages(nodes, {0, 0, 6000, 6000}, {0, 0, 500, 700}, 1);
        QVERIFY(pieces.size() > 4);
        for (size_t i = 0; i < pieces.size(); ++i) {
            QCOMPARE(pieces[i].page, int(i));
            QVERIFY(std::any_of(nodes.begin(), nodes.end(), [&](const LayoutBox& node) {
                const LayoutBox& part = pieces[i].part;
                return node.right > part.left && node.left < part.right && node.bottom > part.top &&
                       node.top < part.bottom;
            }));
        }
    }

    void wordsAreInTheReadersLanguage() {
        QCOMPARE(handout_words("de").solutions, std::string("Lösungen"));
        QCOMPARE(handout_words("zh_CN").name, std::string("姓名"));
        QCOMPARE(handout_words("fr").solutions, std::string("Solutions"));
        const LessonHandoutWords english;
        for (const char* language : {"de", "zh"}) {
            const LessonHandoutWords words = handout_words(language);
            for (auto word : {&LessonHandoutWords::answer, &LessonHandoutWords::given, &LessonHandoutWords::select,
                              &LessonHandoutWords::assign, &LessonHandoutWords::path, &LessonHandoutWords::reason,
                              &LessonHandoutWords::rule, &LessonHandoutWords::faster, &LessonHandoutWords::regions,
                              &LessonHandoutWords::order})
                QVERIFY2(words.*word != english.*word, (english.*word).c_str());
        }
    }

    void theEmptyPictureSaysNothingOfTheDivision() {
        const Lesson lesson = shipped(embedded_lessons()[0].text);
        Result<Handout> handout = handout_of(lesson, {}, CancelToken());
        QVERIFY(handout);
        for (const HandoutBlock& block : handout->exercises) {
            if (block.kind != Kind::Empty) continue;
            const Picture empty = empty_picture(*block.picture);
            QVERIFY(empty.clusters.empty() && empty.legend.empty());
            for (const PictureNode& node : empty.nodes) QVERIFY(node.backend < 0 && node.badge.empty());
            for (const PictureEdge& edge : empty.edges) QVERIFY(!edge.refused);
            QVERIFY(block.picture->nodes.size() > 2 && !block.picture->legend.empty());
            // Calls go by their numbers.
            QVERIFY(std::any_of(empty.nodes.begin(), empty.nodes.end(),
                                [](const PictureNode& node) { return node.name.ends_with(" #1"); }));
        }
    }

    void aGraphIsPredicted() {
        ExportSubject subject = hostile_subject();
        subject.backends = {"dnnl", "<b>"};
        subject.backend_of.assign(subject.graph->size(), 0);
        Result<std::string> pdf = write_handout(subject);
        QVERIFY(pdf && pdf->starts_with("%PDF"));
        QCOMPARE(pages_of(*pdf), qsizetype(2));
        QVERIFY(pdf->find("<script>") == std::string::npos);
        // The list below the picture calls operators by their numbers.
        const Result<Handout> handout = predict_handout(subject, {});
        QVERIFY(handout);
        QCOMPARE(count(handout->solutions, Kind::Picture), 1);
        const std::vector<PictureNode>& nodes = handout->solutions[0].picture->nodes;
        QVERIFY(std::any_of(nodes.begin(), nodes.end(),
                            [](const PictureNode& node) { return node.name.ends_with(" #1"); }));
    }

    void entriesOfAListHaveTheirMarks() {
        Handout handout;
        handout.exercises = {{Kind::Text, "1. first\n12. last", 0, nullptr}};
        const Result<std::string> pdf = write_handouts({&handout, 1}, PaperSize::A4, {}, CancelToken());
        QVERIFY(pdf);
        const QByteArray page = drawings_of(*pdf).at(0);
        for (const char* text : {"(1. )Tj", "(first)Tj", "(12. )Tj", "(last)Tj"})
            QVERIFY2(page.contains(text), page.constData());
    }

    /// What stands behind it stands below its margins, too.
    void aPictureHasItsMarginsOnThePage() {
        const auto place_behind = [](std::vector<HandoutBlock> blocks) {
            blocks.push_back({Kind::Text, "behind", 0, nullptr});
            Handout handout;
            handout.exercises = std::move(blocks);
            const Result<std::string> pdf = write_handouts({&handout, 1}, PaperSize::A4, {}, CancelToken());
            return pdf ? place_of_text(drawings_of(*pdf).at(0), "behind").y() : 0;
        };
        const auto below = [&](double height) {
            Picture drawn;
            drawn.width = 100;
            drawn.height = height;
            const double behind =
                place_behind({{Kind::Picture, "", 0, std::make_shared<const Picture>(std::move(drawn))}});
            return std::abs(behind - place_behind({}));
        };
        const double for_a_unit = (below(200) - below(100)) / 100;
        QVERIFY(for_a_unit > 0);
        const double gap = below(100) - for_a_unit * (100 + 2 * kPictureMargin);
        QVERIFY2(gap > 0 && gap < 20, qPrintable(QString::number(gap)));
    }

    void aQuestionStandsOnThePageOfItsPicture() {
        const Result<Handout> shown = handout_of(shipped(embedded_lessons()[0].text), {}, CancelToken());
        QVERIFY(shown);
        const auto picture = std::ranges::find(shown->exercises, Kind::Empty, &HandoutBlock::kind)->picture;
        bool moved = false, stayed = false;
        for (int lines = 4; lines < 30; ++lines) {
            Handout before, with_question;
            before.exercises = with_question.exercises = {{Kind::Lines, "text", lines, nullptr}};
            with_question.exercises.push_back({Kind::Question, "Draw the regions", 0, nullptr});
            with_question.exercises.push_back({Kind::Empty, "", 0, picture});
            const auto pages = [](const Handout& handout) {
                Result<std::string> pdf = write_handouts({&handout, 1}, PaperSize::A4, {}, CancelToken());
                return pdf ? drawn_on_pages(*pdf) : std::vector<qsizetype>();
            };
            const std::vector<qsizetype> alone = pages(before), both = pages(with_question);
            QVERIFY(!alone.empty() && both.size() >= alone.size());
            const bool is_moved = both[0] == alone[0];
            QVERIFY2(is_moved == (both.size() > alone.size()), qPrintable(QString::number(lines)));
            (is_moved ? moved : stayed) = true;
        }
        QVERIFY(moved && stayed);
    }

    void groupsOfThePictureAreNamed() {
        std::string body = "nn.softmax(negative(ceil(floor(round(cos(sin(log(%x))))))))";
        for (int block = 0; block < 4; ++block) {
            for (const char* op : {"sqrt", "nn.relu", "tanh", "exp", "abs"}) body = std::string(op) + "(" + body + ")";
            body = "add(" + body + ", %y)";
        }
        const Result<OpenedModule> opened = open_text(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32], %y: Tensor[(4), float32]) { " + body + " }",
            "test");
        QVERIFY2(bool(opened), opened ? "" : opened.error().message.c_str());
        const ExportSubject subject = export_subject(opened->module, "groups");
        const Result<Picture> picture = make_picture(subject);
        QVERIFY(bool(picture));
        std::string titles;
        for (const PictureGroup& group : find_picture_groups(subject, *picture).groups) titles += group.title + "; ";
        QCOMPARE(
            titles,
            std::string(
                "log → softmax; Block A ×4; Block A, 1 of 4; Block A, 2 of 4; Block A, 3 of 4; Block A, 4 of 4; "));
    }

    void aPictureForPrintHasPagesOfPaper() {
        ExportSubject subject = hostile_subject();
        for (auto [paper, box] : {std::pair(PaperSize::A4, "[ 0 0 595"), std::pair(PaperSize::Letter, "[ 0 0 612")}) {
            subject.paper = paper;
            Result<std::string> pdf = write_pdf(subject);
            QVERIFY(pdf);
            QVERIFY2(pdf->find(std::string("/MediaBox ") + box) != std::string::npos, box);
        }
    }

    void solutionsHaveATitleOfTheirOwn() {
        const Handout handout{"Title", "Line", {}, {}};
        const Result<std::string> pdf = write_handouts({&handout, 1}, PaperSize::A4, {}, CancelToken());
        QVERIFY(pdf);
        const std::vector<QByteArray> pages = drawings_of(*pdf);
        QCOMPARE(pages.size(), size_t(2));
        QVERIFY(pages[0].contains("(Line)Tj") && !pages[0].contains("(Solutions)Tj"));
        QVERIFY(pages[1].contains("(Solutions)Tj") && !pages[1].contains("(Line)Tj"));
    }

    /// Behind a text it begins a page, and on an empty page it stays.
    void aLongPictureTakesPagesOfItsOwn() {
        const ExportSubject subject = chain_subject(300);
        Result<Picture> drawn = make_picture(subject);
        QVERIFY(drawn);
        const HandoutBlock text{Kind::Text, "Words", 0, nullptr};
        const HandoutBlock picture{Kind::Picture, "", 0, std::make_shared<const Picture>(std::move(*drawn))};
        const auto pages = [](const std::vector<HandoutBlock>& blocks) {
            Handout handout;
            handout.exercises = blocks;
            const Result<std::string> pdf = write_handouts({&handout, 1}, PaperSize::A4, {}, CancelToken());
            return pdf ? pages_of(*pdf) : 0;
        };
        const qsizetype alone = pages({picture});
        QVERIFY(alone > 3);
        // About as many as the picture alone takes: paper of the same size, with other margins.
        QVERIFY2(std::abs(alone - pages_of(*write_pdf(subject))) <= 2, qPrintable(QString::number(alone)));
        QCOMPARE(pages({text, picture}), alone);  // each begins below the lines for a name and a title
        QCOMPARE(pages({picture, picture}), 2 * alone - 2);
    }

    /// The number of a page ends where the picture may end.
    void pagesOfALongPictureHaveTheirNumbersOnThePaper() {
        const Result<std::string> pdf = write_pdf(chain_subject(300));
        QVERIFY(pdf);
        const std::vector<QByteArray> pages = drawings_of(*pdf);
        QVERIFY(pages.size() > 2);
        for (size_t page = 0; page < pages.size(); ++page) {
            const QByteArray number =
                QByteArray::number(qulonglong(page + 1)) + " / " + QByteArray::number(qulonglong(pages.size()));
            QVERIFY2(pages[page].contains("(" + number + ")Tj"), number.constData());
            const double begin = place_of_text(pages[page], number).x();
            QVERIFY2(begin > 500 && begin < 559, qPrintable(QString::number(begin)));
        }
    }

    void aLabelStandsWhereNoEdgeRuns() {
        const LayoutBox node{0, 0, 100, 46};
        const auto down = [](double x) { return EdgeEnd{{{x, 46}, {x, 56}, {x, 66}, {x, 76}}}; };
        QVERIFY(free_corner(node, 30, 14, 95, {}).top > 30);
        const EdgeEnd right[] = {down(85)};
        QVERIFY(free_corner(node, 30, 14, 95, right).top < 0);          // the other corner
        const LayoutBox inside = free_corner(node, 30, 14, 40, right);  // the first line has room
        QVERIFY(inside.left > 40 && inside.right < 100 && inside.top > 0 && inside.bottom < 30);
        const EdgeEnd both[] = {down(85), {{{85, 0}, {85, -10}, {85, -20}, {85, -30}}}};
        QVERIFY(free_corner(node, 30, 14, 95, both).top > 30);
        for (const auto& edges : {std::span<const EdgeEnd>(right), std::span<const EdgeEnd>(both)})
            QVERIFY(free_corner(node, 30, 14, 95, edges).left > 50);  // badges stand on one side
        // A long edge is soon far away, but begins at the node.
        const EdgeEnd away[] = {{{{85, 46}, {85, 400}, {85, 800}, {85, 1200}}}};
        QVERIFY(free_corner(node, 30, 14, 95, away).top < 0);
    }
};

PARTITA_TEST(TestHandout)

}  // namespace test_handout

#include "test_handout.moc"
