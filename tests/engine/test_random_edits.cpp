// Edits of random modules: they keep a module valid, or say why not; and what is proposed for each operator. What they
// do stands in tests/golden/random-edits.txt and proposals.txt, by digests and by signatures:
// `PARTITA_UPDATE_GOLDEN=1 build/release/tests/test_random_edits` updates them.
//
// PARTITA_RANDOM_GRAPHS sets the number of random modules (default 400), PARTITA_RANDOM_SEED the first seed.
#include <QtTest>

#include <algorithm>
#include <random>

#include "engine/frontends/relay/parser.h"
#include "engine/ir/traversal.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/partition_graph.h"
#include "tests/digest.h"
#include "tests/engine/edit_testing.h"
#include "tests/engine/random_module.h"
#include "tests/engine/relay_testing.h"
#include "tests/golden.h"
#include "tests/registry.h"

namespace test_random_edits {

using namespace partita;

namespace {

class RandomEditor {
public:
    explicit RandomEditor(uint64_t seed) : dice_(seed) {}

    EditResult edit(const Module& module) {
        std::vector<ExprId> shown = shown_expressions(module);
        const ExprId main = module.find_function("main");
        const auto any = [&] { return shown[below(shown.size())]; };
        switch (below(14)) {
            case 0: {
                TypeTable types = module.types();
                return insert_after(module, any(), random_call(module, any(), types), types);
            }
            case 1: {
                TypeTable types = module.types();
                const ExprId user = any();
                const uint32_t index = uint32_t(below(module.operands(user).size() + 1));
                const ExprId data = index < module.operands(user).size() ? module.operands(user)[index] : any();
                return insert_on_edge(module, {user, index}, random_call(module, data, types), types);
            }
            case 2: {
                TypeTable types = module.types();
                return add_output(module, main, random_call(module, any(), types), types);
            }
            case 3:
            case 4: return remove_expressions(module, some(shown, 1 + below(4)));
            case 5:
            case 6: {
                const ExprId user = any();
                return replace_operand(module, {user, uint32_t(below(module.operands(user).size() + 1))}, any());
            }
            case 7: return cut_edge(module, {any(), 1}, "cut");
            case 8: return extract_function(module, some(shown, 1 + below(6)), free_function_name(module, "part"));
            case 9:
                for (ExprId id : shown)
                    if (module.kind(id) == ExprKind::Call && !module.called_op(id).valid())
                        return inline_call(module, id);
                return rename_expression(module, any(), "name" + std::to_string(below(5)));
            case 10: return change_op(module, any(), OpId(uint32_t(below(op_registry().records().size()))));
            case 11: {
                const ExprId call = any();
                const OpRecord* op = called_op_record(module, call);
                if (!op || op->attributes.empty())
                    return set_function_attribute(module, main, "key", AttributeValue(1));
                const AttributeField& field = op->attributes[below(op->attributes.size())];
                static const char* const kTexts[] = {"0",    "1",          "-1",   "2, 2", "[[0, 0], [1, 1]]",
                                                     "NCHW", "float16",    "True", "0.5",  "None",
                                                     "[]",   "99999999999"};
                Result<AttributeValue> value = read_attribute(field, kTexts[below(12)]);
                if (!value) return EditFault{value.error(), call};
                return set_attribute(module, {{call}}, field.name, *value);
            }
            case 12: {
                Result<std::string> text = copy_as_text(module, some(shown, 1 + below(5)));
                if (!text) return EditFault{text.error(), {}};
                return paste_text(module, main, *text, some(shown, below(2)),
                                  below(2) ? PasteAs::Output : PasteAs::Successor);
            }
            default:
                return set_parameter_type(module, any(), below(2) ? "Tensor[(2, 4), float32]" : "Tensor[(3), int8]");
        }
    }

    uint64_t below(uint64_t bound) { return bound ? dice_() % bound : 0; }

private:
    static std::vector<ExprId> shown_expressions(const Module& module) {
        std::vector<ExprId> roots, shown;
        for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
        return post_order(module, roots);
    }
    std::vector<ExprId> some(const std::vector<ExprId>& of, size_t count) {
        std::vector<ExprId> chosen;
        const size_t first = below(of.size());
        for (size_t i = 0; i < count; ++i)
            chosen.push_back(of[below(3) ? std::min(first + i, of.size() - 1) : below(of.size())]);
        return chosen;
    }
    NewCall random_call(const Module& module, ExprId data, TypeTable& types) {
        static const char* const kOps[] = {"tanh",    "add",     "nn.dense", "concatenate", "split",
                                           "reshape", "nn.relu", "sum",      "multiply",    "cast"};
        return propose_call(types, module, op_registry().find(kOps[below(10)]), data);
    }

    std::mt19937_64 dice_;
};

/// Returns what is wrong; "" if nothing is.
std::string check_module(const Module& module, bool text_says_all) {
    Module again = module;
    if (Status typed = infer_types(again); !typed) return "types: " + typed.error().message;
    if (print_relay(again) != print_relay(module)) return "types differ from inferred ones";
    if (text_says_all) {
        const std::string text = print_relay(module);
        Result<Module> reread = parse_relay(text);
        if (!reread) return "does not read back: " + reread.error().to_string() + "\n" + text;
        if (Status typed = infer_types(*reread); !typed) return "types after reading back: " + typed.error().message;
        if (print_relay(*reread) != text) return "reads back as something else:\n" + text + print_relay(*reread);
    }
    Placement placement;
    placement.backends = {"a", "b"};
    placement.backend_of.assign(module.size(), Placement::kDefault);
    for (uint32_t i = 0; i < module.size(); ++i)
        if (OpId op = module.called_op(ExprId(i)); op.valid()) placement.backend_of[i] = int16_t(int(op.value % 3) - 1);
    Result<Module> annotated = annotate_target(module, placement);
    if (!annotated) return "annotate: " + annotated.error().message;
    Result<Module> merged = merge_compiler_regions(*annotated);
    if (!merged) return "merge: " + merged.error().message;
    Result<Module> partitioned = partition_graph(*merged, {});
    if (!partitioned) return "partition: " + partitioned.error().message;
    return {};
}

constexpr const char* kEditsFile = PARTITA_SOURCE_DIR "/tests/golden/random-edits.txt";
constexpr const char* kProposalsFile = PARTITA_SOURCE_DIR "/tests/golden/proposals.txt";

/// Returns the statement of the new call, with the types of @main: what it was given, and what it makes.
std::string signature_of(const EditResult& result) {
    if (!result) return "refused: " + result.fault().diagnostic.message;
    const std::string text = text_of(*result->module);
    const size_t begin = text.find("%1 = ") + 5, types = std::string("def @main").size();
    return text.substr(begin, text.find(";\n", begin) - begin) + ", " + text.substr(types, text.find(" {\n") - types);
}

}  // namespace

class TestRandomEdits : public QObject {
    Q_OBJECT

private slots:
    /// Proposes a call of every operator from defaults, for data of several shapes.
    void whatIsProposedForEachOperator() {
        std::vector<std::string> now;
        for (const char* shape : {"1, 4, 8, 8", "2, 4, 8", "4, 8", "8", ""}) {
            now.push_back("# (" + std::string(shape) + ")");
            Module module =
                typed_module("def @main(%x: Tensor[(" + std::string(shape) + "), float32]) { nn.relu(%x) }");
            const ExprId relu = call_of(module, "nn.relu");
            int inserted = 0, refused = 0;
            for (uint32_t i = 0; i < op_registry().records().size(); ++i) {
                const OpRecord& record = op_registry().records()[i];
                if (record.inputs.empty()) continue;
                TypeTable types = module.types();
                const NewCall call = propose_call(types, module, OpId(i), relu);
                const EditResult result = add_output(module, main_of(module), call, types);
                ++(result ? inserted : refused);
                std::string text = signature_of(result);
                std::replace(text.begin(), text.end(), '\n', ' ');
                now.push_back(record.name + ": " + text);
            }
            QVERIFY2(inserted > refused, shape);  // most are valid without changes
        }
        const QString difference = golden_difference(kProposalsFile, now);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void randomEditsKeepModulesValidOrSayWhyNot() {
        bool given = false;
        int graphs = qEnvironmentVariable("PARTITA_RANDOM_GRAPHS").toInt(&given);
        if (!given) graphs = 400;
        const uint64_t first = qEnvironmentVariable("PARTITA_RANDOM_SEED").toULongLong();
        const bool is_golden = !given && first == 0;
        std::vector<std::string> now;
        int made = 0, refused = 0;
        for (uint64_t seed = first; seed < first + uint64_t(graphs); ++seed) {
            testing::RandomModuleOptions options;
            options.operators = 1 + int(seed % 30);
            options.control_flow = seed % 3 == 0;
            testing::RandomModule random(seed, options);
            Module start = random.make();
            ModulePtr module = std::make_shared<const Module>(std::move(start));
            RandomEditor editor(seed * 77 + 5);
            const bool text_says_all = !options.control_flow;
            uint32_t digest = fnv_digest({});
            for (int step = 0; step < 8; ++step) {
                const std::string before = print_relay(*module);
                EditResult result = editor.edit(*module);
                // The given module stays unchanged, so that undo can keep it.
                if (print_relay(*module) != before)
                    QFAIL(qPrintable(QStringLiteral("seed %1: the module changed").arg(seed)));
                if (!result) {
                    ++refused;
                    digest = fnv_digest(result.fault().diagnostic.message, digest);
                    if (result.fault().diagnostic.message.empty())
                        QFAIL(qPrintable(QStringLiteral("seed %1: no reason").arg(seed)));
                    continue;
                }
                ++made;
                if (result->image.size() != module->size()) QFAIL("an image for each expression");
                for (ExprId id : result->image)
                    if (id.valid() && id.value >= result->module->size()) QFAIL("an image outside the module");
                std::string wrong = check_module(*result->module, text_says_all);
                if (!wrong.empty())
                    QFAIL(qPrintable(
                        QStringLiteral("seed %1, step %2: %3").arg(seed).arg(step).arg(QString::fromStdString(wrong))));
                module = result->module;
                digest = fnv_digest(print_relay(*module), digest);
            }
            now.push_back("seed " + std::to_string(seed) + ": " + std::to_string(module->size()) + " expressions, " +
                          std::to_string(digest));
        }
        qInfo("%d edits made, %d refused with a reason", made, refused);
        QVERIFY(made > refused / 4);
        const QString difference = is_golden ? golden_difference(kEditsFile, now) : QString();
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
};

PARTITA_TEST(TestRandomEdits)

}  // namespace test_random_edits

#include "test_random_edits.moc"
