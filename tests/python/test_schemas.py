"""Each JSON that the command line writes fits a schema in resources/schemas, which describes each of its properties."""
import json
import os
import re
import subprocess

import pytest

jsonschema = pytest.importorskip("jsonschema")
onnx = pytest.importorskip("onnx")
numpy = pytest.importorskip("numpy")

SOURCE = os.environ["PARTITA_SOURCE_DIR"]
CLI = os.environ["PARTITA_CLI"]
SAMPLES = os.path.join(SOURCE, "samples")
RESOURCES = os.path.join(SOURCE, "resources")

FAST = "--repeat 1 --warmup 0"
# For each schema what is written by it: arguments of partita-cli, of which OUT is the file to check; without it, what
# is printed. Words in capitals stand for files of `models`, or of samples/.
PRINTED = {
    "backends": ["backends"],
    "partitioners": ["partitioners"],
    "formats": ["formats"],
    "info": [
        "info diamond.relay", "info DECODER --dim past=4", "info GRAPH --from SAID --from DUMP",
        "info GRAPH --numbers NUMBERS",
    ],
    "divide": [
        "divide GRAPH --partitioner each --verdicts VERDICTS --numbers NUMBERS", "divide diamond.relay --backends dnnl",
        "divide GRAPH --from DUMP", "divide GRAPH --partitioner onnxruntime --verdicts VERDICTS",
        "divide GRAPH --partitioner torch-fx --verdicts VERDICTS",
        "divide GRAPH --partitioner given --option file=UNSOUND",
        "divide quantized-block.relay --backends ccompiler --lower --simplify",
    ],
    "check-division": [
        "check-division GRAPH --placement SOUND", "check-division GRAPH --placement UNSOUND",
        "check-division GRAPH --placement TWICE", "check-division GRAPH --from DUMP",
    ],
    "explain": [
        "explain diamond.relay --backends dnnl,ccompiler",
        "explain residual-block.relay --backends dnnl --stages --trace --patterns",
        "explain residual-block.relay --backends dnnl --node op:nn.conv2d",
        "explain one-divide.relay --backends RULES --override #1=default",
        "explain GRAPH --from SAID --from DUMP", "explain three-branches.relay --annotated",
        "explain quantized-block.relay --backends LIMITED --simplify",
        "explain residual-block.relay --backends PYTHON --allow-commands --trace",
        "explain two-compilers.relay --backends LIMITED --no-merge",
        "explain GRAPH --partitioner each --backends RULES",
        "explain GRAPH --from DUMP --backends RULES --partitioner torch-fx",
        "explain chain:40 --backends LIMITED --trace", "explain random:90 --backends ccompiler,dnnl --trace --patterns",
        "explain DECODER --dim past=1 --dim seq=1 --backends dnnl,ccompiler --lower --simplify --stages",
        "explain residual-block.relay --backends REFUSING --node op:nn.conv2d --patterns --trace",
    ],
    "coverage": [
        "coverage diamond.relay --backends dnnl,ccompiler --what-if --best 2", "coverage GRAPH --from SAID --from DUMP",
        "coverage GRAPH --from DUMP --backends RULES",
        "coverage chain:30 --backends LIMITED --what-if --best 1 --by calls",
        "coverage residual-block.relay --backends dnnl --what-if",
    ],
    "diff": [
        "diff diamond.relay diamond.relay", "diff diamond.relay diamond.relay --backends-a dnnl --backends-b ccompiler",
        "diff diamond.relay diamond.relay --backends-a dnnl --backends-b dnnl --partitioner-b each",
        "diff diamond.relay residual-block.relay --simplify",
    ],
    "run": [
        "run diamond.relay --backends dnnl --compare --compare-boundaries --roofline " + FAST,
        "run residual-block.relay --backends dnnl --ops --compare-run SAVED " + FAST,
        "run DECODER --dim past=1,2 --dim seq=1 " + FAST,
        "run DECODER --decode 3 --compare " + FAST, "run one-divide.relay --backends MISSING --allow-commands " + FAST,
        "run attention-block.relay --backends ccompiler --compare --tolerance 1e-9 " + FAST,
        "run BRANCHES --backends dnnl --compare " + FAST,
    ],
    "bisect": ["bisect one-divide.relay --backends MISSING --allow-commands", "bisect diamond.relay --backends dnnl"],
    "compare-runs": ["compare-runs SAVED SAVED", "compare-runs SAVED OTHER_SAVED"],
    "place": [
        "place diamond.relay --backends dnnl,ccompiler --measure-seconds 0.5 --pareto regions --costs COSTS " + FAST,
        "place diamond.relay --backends dnnl --measure-seconds 0 --costs COSTS",
        "place DECODER --dim past=1,2 --dim seq=1 --backends dnnl --measure-seconds 0 --costs COSTS",
    ],
    "bench": ["bench diamond.relay --repeat 1", "bench chain:10 --repeat 1 --no-layout"],
    "rules-test": ["rules test int8_accelerator", "rules test RULES"],
    "rules-diff": ["rules diff dnnl ccompiler diamond.relay residual-block.relay",
                   "rules diff RULES LIMITED one-divide.relay"],
    "rules-from": ["rules from GRAPH --verdicts VERDICTS"],
    "onnx-test": ["onnx-test TESTS"],
}
WRITTEN = {
    "baseline": ["coverage residual-block.relay --backends ccompiler --write-baseline OUT"],
    "memory": ["run residual-block.relay --backends dnnl --memory OUT " + FAST,
               "run one-divide.relay --memory OUT " + FAST],
    "trace": ["run residual-block.relay --backends dnnl --trace OUT " + FAST,
              "run diamond.relay --trace OUT --threads 2 " + FAST],
    "../partita-run": ["run residual-block.relay --backends dnnl --save-run OUT " + FAST],
    "../partita-costs": ["place diamond.relay --backends dnnl --measure-seconds 0.2 --costs OUT " + FAST],
    "../partita-placement": ["place diamond.relay --backends dnnl --measure-seconds 0 --costs COSTS -o OUT"],
    "../partita-module": ["export diamond.relay --backends dnnl --form json -o OUT"],
    "../partita-graph": ["export diamond.relay --form graph -o OUT"],
    "../backend-description": [
        "rules convert PYTHON --allow-commands -o OUT", "rules from GRAPH --verdicts VERDICTS -o OUT",
        "rules diff RULES LIMITED SAMPLE --keep-tests OUT",
    ],
    "../partita-lesson": ["lessons show 1-regions > OUT"],
    "model-explorer": ["export diamond.relay --backends dnnl --form model-explorer -o OUT"],
    "tags": ["divide GRAPH --partitioner each --verdicts VERDICTS --tags OUT"],
    "split-manifest": ["export diamond.relay --backends dnnl --split OUT/manifest.json",
                       "export residual-block.relay --split OUT/manifest.json"],
}


# Options with files that are read, folders, and files that are no JSON.
READ = {"--from", "--from-a", "--from-b", "--numbers", "--placement", "--placement-a", "--placement-b", "--check",
        "--baseline", "--compare-run", "--cache-dir", "--output-dir", "--modules"}
OTHER_FORMS = {"partition -o", "render -o", "report -o", "pass -o", "coverage --junit"}


def text_files():
    node = lambda name, op, inputs, outputs: {"name": name, "op": op, "inputs": inputs, "outputs": outputs}
    regions = lambda *groups: {"regions": [{"backend": "npu", "nodes": list(group)} for group in groups]}
    cpu = "CPUExecutionProvider"
    described = lambda **members: dict(name="mine", **members)
    return {
        "GRAPH": {"format": "partita-graph", "version": 1, "inputs": ["x"], "outputs": ["c"],
                  "nodes": [node("a", "Relu", ["x"], ["a"]), node("block/b", "Odd", ["a"], ["b"]),
                            node("block/c", "Add", ["a", "b"], ["c"])],
                  "values": {"x": {"dtype": "float32", "shape": [1, 8]}}},
        "VERDICTS": {"backend": "npu", "taken": ["a", "block/c"]},
        "SOUND": regions(["a", "block/b"]), "UNSOUND": regions(["a", "block/c"]), "TWICE": regions(["a"], ["a"]),
        "DUMP": {"ep_subgraphs": [{"ep": "npu",
                                   "nodes": [{"name": "a", "op_type": "Relu"}, {"name": "lost", "op_type": "Relu"}]},
                                  {"ep": cpu, "nodes": [{"name": "block/b", "op_type": "Odd"}]}]},
        "SAID": "x [W:onnxruntime:, a.cc:1 f] y\n"
                "x Force fallback to CPU execution for node: block/b because of its type\n",
        "NUMBERS": "name,cycles,bytes\na,3,4.5\nblock/c,5,\nlost,1,1\n",
        "RULES": described(ops={"add": True, "exp": "args[0].rank == 2", "divide": True, "nn.relu": True, "Relu": True},
                           expect=[{"module": "def @main(%x: Tensor[(2, 2), float32]) { exp(%x) }", "node": 1,
                                    "supported": yes}
                                   for yes in (True, False)]),
        "LIMITED": described(ops={"add": True, "subtract": True, "nn.relu": True, "multiply": True, "divide": True,
                                  "exp": True},
                             limits={"min_ops": 2, "max_inputs": 3, "max_live_bytes": 1000}),
        "REFUSING": described(ops={"nn.conv2d": "attrs.groups == 1 && args[0].shape[9] == 1 || attrs.groups == 8"},
                              patterns=[{"name": "mine.p", "pattern": "tanh(add(nn.conv2d(*, *), *))", "check": True},
                                        {"name": "mine.q", "pattern": "add(c: nn.conv2d(*, *), *)",
                                         "check": "c.attrs.groups == 2"}]),
        "MISSING": described(ops={"divide": True, "add": True}, codegen="plugin:./missing.so"),
        "SAMPLE": open(os.path.join(SAMPLES, "one-divide.relay")).read(),
        "PYTHON": open(os.path.join(SAMPLES, "annotator", "tile_npu.py")).read(),
    }


def model_files(folder):
    """Returns a model with a cache and symbolic sizes, one with an If, and a folder of tests."""
    from onnx import TensorProto as types
    from onnx import helper, numpy_helper
    info = helper.make_tensor_value_info
    words = numpy.sin(numpy.arange(17 * 8, dtype="float32")).reshape(17, 8)
    weights = [numpy_helper.from_array(array, name) for name, array in
               (("words", words), ("head", numpy.ascontiguousarray(words.T)), ("one", numpy.array([1])))]

    def save(name, nodes, inputs, outputs, initializers=()):
        graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        onnx.save(model, os.path.join(folder, name))
        return os.path.join(folder, name)

    node = helper.make_node
    decoder = save(
        "decoder.onnx",
        [node("Gather", ["words", "input_ids"], ["x"]), node("Unsqueeze", ["x", "one"], ["key"]),
         node("Concat", ["past_key_values.0.key", "key"], ["present.0.key"], axis=2),
         node("ReduceMean", ["present.0.key"], ["mean"], axes=[1, 2], keepdims=0), node("Add", ["x", "mean"], ["y"]),
         node("MatMul", ["y", "head"], ["logits"])],
        [info("input_ids", types.INT64, [1, "seq"]), info("past_key_values.0.key", types.FLOAT, [1, 1, "past", 8])],
        [info("logits", types.FLOAT, [1, "seq", 17]), info("present.0.key", types.FLOAT, [1, 1, "total", 8])], weights)
    branch = lambda op: helper.make_graph([node(op, ["x"], ["r"])], op, [], [info("r", types.FLOAT, [2, 3])])
    branches = save(
        "branches.onnx",
        [node("If", ["c"], ["i"], then_branch=branch("Exp"), else_branch=branch("Neg")),
         node("Add", ["i", "x"], ["y"])],
        [info("c", types.BOOL, []), info("x", types.FLOAT, [2, 3])], [info("y", types.FLOAT, [2, 3])])
    for name, op, expected in (("right", "Neg", -1), ("wrong", "Neg", 5), ("unknown", "Odd", 1)):
        save("tests/%s/model.onnx" % name, [node(op, ["x"], ["y"])], [info("x", types.FLOAT, [1])],
             [info("y", types.FLOAT, [1])])
        data = os.path.join(folder, "tests", name, "test_data_set_0")
        os.makedirs(data)
        for file, value in (("input_0.pb", 1), ("output_0.pb", expected)):
            with open(os.path.join(data, file), "wb") as out:
                out.write(numpy_helper.from_array(numpy.array([value], "float32")).SerializeToString())
    return {"DECODER": decoder, "BRANCHES": branches, "TESTS": os.path.join(folder, "tests")}


def run(arguments, files, folder):
    """Runs partita-cli; returns what it printed. Some cases differ or fail on purpose: they print all the same."""
    words = [files.get(word.partition("=")[2] or word, word) for word in arguments.split()]
    words = [before.partition("=")[0] + "=" + word if "file=" in before else word
             for before, word in zip(arguments.split(), words)]
    words = [os.path.join(SAMPLES, word) if word.endswith(".relay") else word for word in words]
    done = subprocess.run([CLI, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 1) and "error: " not in done.stdout, (arguments, done.returncode, done.stderr)
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("schemas"))
    os.environ["XDG_CACHE_HOME"] = folder
    made = model_files(folder)
    for name, content in text_files().items():
        ending = {"SAID": ".log", "NUMBERS": ".csv", "PYTHON": ".py", "SAMPLE": ".relay"}.get(name, ".json")
        made[name] = os.path.join(folder, name.lower() + ending)
        with open(made[name], "w") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
    made["COSTS"] = os.path.join(folder, "costs.json")
    for name, backend in (("SAVED", "dnnl"), ("OTHER_SAVED", "ccompiler")):
        made[name] = os.path.join(folder, name.lower() + ".json")
        run("run residual-block.relay --backends %s --save-run %s %s" % (backend, name, FAST), made, folder)
    made["FOLDER"] = folder
    return made


def printed(arguments, files):
    output, errors = run(arguments + " --json", files, files["FOLDER"])
    assert output, (arguments, errors)
    return json.loads(output)


def written(arguments, files, number):
    out = os.path.join(files["FOLDER"], "out%d" % number)
    file = out + "/manifest.json" if "OUT/manifest.json" in arguments else out + ".json"
    if arguments.endswith("> OUT"):
        return json.loads(run(arguments[:-len("> OUT")], files, files["FOLDER"])[0])
    words = arguments.replace("OUT/manifest.json", out).replace(" OUT", " " + file)
    _, errors = run(words, files, files["FOLDER"])
    assert os.path.exists(file), (arguments, errors)
    with open(file) as opened:
        return json.load(opened)


def schema_file(name):
    return os.path.normpath(os.path.join(RESOURCES, "schemas", name + ".schema.json"))


def read_schema(name):
    with open(schema_file(name)) as file:
        return json.load(file)


def fits(name, document, case):
    schema = read_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    resolver = jsonschema.RefResolver("file://" + schema_file(name), schema)
    faults = jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(document)
    fault = jsonschema.exceptions.best_match(faults)
    assert fault is None, "%s: %s: %s" % (case, "/".join(map(str, fault.absolute_path)), fault.message[:1000])
    if not name.startswith("../"):
        assert_regions_have_both_names(document, case)


def assert_regions_have_both_names(document, case):
    """The function of a region, and beside it "dnnl #17"."""
    if isinstance(document, dict):
        is_place = "composite" in document or "line" in document or set(document) == {"name", "function"}  # of a stage
        for key, name in document.items():
            if key in ("region", "function", "name", "producer", "consumer", "first_wrong_region") and not is_place:
                if re.match(r"tvmgen_default_\w+_main_\d+$", str(name)):
                    assert any("short_name" in other or re.match(r"\w+ #\d+", str(value))
                               for other, value in document.items()), (case, document)
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            assert_regions_have_both_names(part, case)


@pytest.mark.parametrize("name, case", [(name, case) for name, cases in PRINTED.items() for case in cases])
def test_what_is_printed_fits(name, case, files):
    fits(name, printed(case, files), case)


@pytest.mark.parametrize("number, name, case", [(number, name, case) for number, (name, case) in enumerate(
    (name, case) for name, cases in WRITTEN.items() for case in cases)])
def test_what_is_written_fits(number, name, case, files):
    fits(name, written(case, files, number), case)


def test_calls_have_the_numbers_of_explain_everywhere(files):
    model = " residual-block.relay --backends dnnl "
    names = {call["node"]: call["name"] for call in printed("explain" + model, files)["calls"]}
    run = printed("run" + model + FAST, files)
    numbered = [op for region in run["regions"] for op in region["ops"]]
    memory = written("run" + model + "--memory OUT " + FAST, files, 100)
    numbered += memory["steps"] + memory["blocks"]
    trace = written("run" + model + "--trace OUT " + FAST, files, 101)["traceEvents"]
    numbered += [{"name": event["name"], **event["args"]} for event in trace if event.get("cat") == "op"]
    diff = printed("diff residual-block.relay residual-block.relay --backends-b dnnl", files)
    numbered += [change[side] for change in diff["changed"] for side in ("before", "after")]
    numbered = [each for each in numbered if "number" in each]
    assert len(numbered) > 20 and all("number" in event["args"] for event in trace if event.get("cat") == "op")
    for each in numbered:
        assert names[each["number"]] in (each["name"], "%s #%d" % (each["name"], each["number"])), each


def help_of(command):
    return subprocess.run([CLI, *command, "--help"], capture_output=True, text=True, check=True).stdout


def commands(before=()):
    for name in re.findall(r"^  ([a-z-]+)  ", help_of(before).partition("\nSubcommands:")[2], re.M):
        yield (*before, name)
        yield from commands((*before, name))


def test_each_command_with_json_and_each_file_of_json_has_a_schema():
    cases = [case for all_cases in WRITTEN.values() for case in all_cases]
    with_json, found = set(), list(commands())
    assert len(found) > 25
    for command in found:
        text = help_of(command)
        if "\n  --json" in text:
            with_json.add("-".join(command))
        for option in re.findall(r"^  (-[a-z-]+)(?:,--[a-z-]+)? (?:F|F\.json|OUT|DIR|D)(?: |$)", text, re.M):
            has_case = any(case.startswith(" ".join(command)) and option + " OUT" in case for case in cases)
            is_other = option in READ or " ".join(command) + " " + option in OTHER_FORMS
            assert has_case or is_other, (command, option)
    assert with_json == set(PRINTED)


def properties(schema):
    """Yields each property of a schema by its name."""
    if isinstance(schema, list):
        schema = dict(enumerate(schema))
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("properties"), dict):
        yield from schema["properties"].items()
    for part in schema.values():
        yield from properties(part)


@pytest.mark.parametrize("file", sorted(os.listdir(os.path.join(RESOURCES, "schemas"))))
def test_schemas_describe_each_property_and_its_unit(file):
    schema = read_schema(file[:-len(".schema.json")])
    assert schema["title"] and schema["description"]
    units = {"_ms": "millisecond", "_us": "microsecond", "bytes": "ytes", "_kb": "KiB", "flops": "FLOP",
             "_mb": "egabyte"}
    for name, described in properties(schema):
        text = described.get("description", "")
        assert text or "/$defs/" in described.get("$ref", ""), name
        for ending, unit in units.items():
            if name.endswith(ending) and described.get("type") not in ("array", "object", None):
                assert unit in text, (name, text)
    assert schema.get("additionalProperties") is False or not schema.get("properties")
    with open(os.path.join(RESOURCES, "help", "json.md")) as page:
        assert "schemas/" + file in page.read(), file
