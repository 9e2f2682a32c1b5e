"""The package partita: what it opens, divides, explains, runs and refuses."""
import base64
import gc
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy
import pytest

import partita
from partita import rules

SOURCE = os.environ["PARTITA_SOURCE_DIR"]
CLI = os.environ["PARTITA_CLI"]
SAMPLES = os.path.join(SOURCE, "samples")
ANNOTATORS = os.path.join(SOURCE, "tests", "annotators")

ADD = 'def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { add(%x, %y) }'


def sample(name):
    return partita.open(os.path.join(SAMPLES, name))


def unary(op, type_of_x):
    return partita.from_text("def @main(%%x: %s) { %s }" % (type_of_x, op))


def address(array):
    return array.__array_interface__["data"][0]


# Opening and errors.


class Proto:
    """As onnx's ModelProto."""

    def __init__(self, content):
        self.SerializeToString = lambda: content


def test_what_stands_for_a_file_opens():
    with open(os.path.join(SAMPLES, "diamond.relay"), "rb") as file:
        content = file.read()
        file.seek(0)
        sources = [content, bytearray(content), io.BytesIO(content), io.StringIO(content.decode()), Proto(content), file]
        texts = {partita.open(source).text() for source in sources}
    assert texts == {sample("diamond.relay").text()}


@pytest.mark.parametrize("wrong, said", [(3, "not int"), ("#[version]\ndef", "from_text reads")])
def test_what_is_no_file_is_named(wrong, said):
    with pytest.raises((TypeError, ValueError), match=said):
        partita.open(wrong)


def test_wrong_arguments_are_named():
    for wrong in (numpy.zeros(3), [numpy.zeros(3)]):
        with pytest.raises(TypeError, match="by the names of parameters"):
            partita.from_text(ADD).run(wrong)
    with pytest.raises(TypeError, match="diff compares two modules"):
        partita.diff("a", "b")


def test_a_star_import_leaves_open_alone():
    names = {}
    exec("from partita import *", names)
    assert "open" not in names and "from_text" in names

def test_info_tells_inputs_and_operators():
    info = sample("residual-block.relay").info()
    assert info["calls"] == 7
    assert {each["op"]: each["calls"] for each in info["operators"]}["nn.conv2d"] == 2
    assert info["inputs"][0] == {"name": "data", "type": "Tensor[(1, 16, 28, 28), float32]"}


def test_an_error_has_file_line_and_column(tmp_path):
    path = tmp_path / "wrong.relay"
    path.write_text("def @main(%x: Tensor[(1), float32]) {\n  ad(%x)\n}\n")
    with pytest.raises(partita.Error) as caught:
        partita.open(path)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), 2, 3)
    assert "did you mean `add`" in caught.value.message
    assert str(caught.value).startswith("%s:2:3: " % path)


def test_a_file_that_is_not_there_is_an_error():
    with pytest.raises(partita.Error) as caught:
        partita.open("/nowhere/model.onnx")
    assert caught.value.file == "/nowhere/model.onnx"
    assert caught.value.line is None


def test_dimensions_that_the_model_lacks_are_refused():
    with pytest.raises(partita.Error, match="no symbolic dimension 'batch'"):
        partita.open(os.path.join(SAMPLES, "diamond.relay"), dimensions={"batch": 2})


@pytest.mark.parametrize("text", ["", "\0", "def", "{", "[1, 2", "é" * 1000, "(" * 100000])
def test_hostile_texts_are_errors(text):
    with pytest.raises(partita.Error):
        partita.from_text(text)


# Dividing.

def test_regions_and_coverage():
    divided = sample("residual-block.relay").partition("dnnl")
    assert divided.backends == ["dnnl"]
    assert [region.backend for region in divided.regions] == ["dnnl"]
    assert divided.regions[0].calls[0] == "nn.conv2d #1"
    assert [each["calls"] for each in divided.coverage().backends] == [7, 0]


def test_several_backends_have_an_order():
    module = sample("residual-block.relay")
    relu = {"name": "relu_only", "ops": {"nn.relu": True}}
    assert {each.backend for each in module.partition([relu, "dnnl"]).explain_all("op:nn.relu")} == {"relu_only"}
    assert {each.backend for each in module.partition(["dnnl", relu]).explain_all("op:nn.relu")} == {"dnnl"}


def test_overrides_win():
    divided = sample("residual-block.relay").partition("dnnl", overrides={"op:add": "default", 2: "default"})
    assert divided.explain("op:add").backend == divided.explain(2).backend == "default"
    assert divided.explain(1).backend == "dnnl"


@pytest.mark.parametrize("overrides, message", [({"#1": "nobody"}, "no backend 'nobody'"),
                                                ({"#99": "dnnl"}, "#99=dnnl: the selector matches no call")])
def test_overrides_that_mean_nothing_are_refused(overrides, message):
    with pytest.raises(partita.Error, match=message):
        sample("residual-block.relay").partition("dnnl", overrides=overrides)


def test_constants_are_folded_alone_or_while_simplifying():
    module = partita.from_text("""#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) {
  %0 = nn.dropout(%x);
  %1 = add(1f, 2f);
  multiply(%0.0, %1)
}
""")
    found = []
    for flags in ({}, {"fold": True}, {"simplify": True}):
        text = module.partition("ccompiler", **flags).text()
        found.append(("add(" in text, "nn.dropout(" in text))
    assert found == [(True, True), (False, True), (False, False)]


def test_explaining_no_call_is_an_error():
    with pytest.raises(partita.Error, match="no call matches"):
        sample("residual-block.relay").partition("dnnl").explain(99)


def test_backends_of_one_name_are_refused():
    with pytest.raises(partita.Error, match="given twice"):
        sample("diamond.relay").partition(["dnnl", "dnnl"])


def test_a_description_that_is_wrong_has_a_place():
    with pytest.raises(partita.Error) as caught:
        partita.load_backend({"name": "npu", "ops": {"nn.convd": True}})
    assert "nn.conv" in str(caught.value)
    assert caught.value.line


def test_diff_and_export(tmp_path):
    module = sample("diamond.relay")
    divided = module.partition("dnnl")
    assert partita.diff(module, module).identical
    assert not partita.diff(module, sample("residual-block.relay")).identical
    divided.export(tmp_path / "out.relay")
    again = partita.open(tmp_path / "out.relay")
    assert partita.diff(divided, again).identical
    for form in ("out.svg", "out.json", "out.html"):
        divided.export(tmp_path / form)
        assert (tmp_path / form).stat().st_size > 100
    divided.export(tmp_path / "sources", form="c")
    assert (tmp_path / "sources").is_dir()


@pytest.mark.parametrize("path, form", [("out.nothing", ""), ("out.relay", "nothing"), ("no/folder/out.relay", "")])
def test_exports_that_cannot_be_written_are_errors(tmp_path, path, form):
    with pytest.raises(partita.Error):
        sample("diamond.relay").export(tmp_path / path, form=form)


def test_projects_keep_their_division(tmp_path):
    project = {"format": "partita", "version": 1, "module": os.path.join(SAMPLES, "diamond.relay"),
               "backends": ["ccompiler"], "flow": {"annotate": True, "merge": True, "partition": True}}
    path = tmp_path / "diamond.partita"
    path.write_text(json.dumps(project))
    assert partita.open(path).partition().backends == ["ccompiler"]
    assert partita.open(path).partition("dnnl").backends == ["dnnl"]


# Files in Python.

def test_a_file_in_python_needs_permission():
    path = os.path.join(ANNOTATORS, "tile_engine.py")
    with pytest.raises(partita.Error, match="allow_commands=True"):
        partita.open(os.path.join(ANNOTATORS, "small.relay")).partition(path)


def test_a_file_in_python_says_the_line(tmp_path):
    file = tmp_path / "npu.py"
    file.write_text('from tvm.ir import register_op_attr\n\n\n@register_op_attr("nn.conv2d", "target.npu")\n'
                    'def conv2d(call):\n    if call.attrs.groups != 2:\n        return False\n    return True\n')
    module = sample("residual-block.relay")
    why = module.partition(file, allow_commands=True).explain("op:nn.conv2d")
    assert why.backend == "default"
    assert why.causes[0].place == "npu.py:6: if call.attrs.groups != 2:"
    file.write_text(file.read_text().replace("!= 2", "!= 1"))
    assert module.partition(file, allow_commands=True).explain("op:nn.conv2d").backend == "npu"


# Functions.

def test_functions_see_calls():
    seen = []

    def conv2d(call):
        assert isinstance(call, rules.Call) and isinstance(call.args[1], rules.Var)
        seen.append((call.op.name, [int(size) for size in call.args[1].checked_type.shape], call.attrs.groups))
        return call.attrs.groups == 1

    npu = partita.backend("npu", {"nn.conv2d": conv2d, "nn.relu": True})
    divided = sample("residual-block.relay").partition(npu)
    assert seen[0] == ("nn.conv2d", [16, 16, 3, 3], 1)
    assert {call.split(" ")[0] for region in divided.regions for call in region.calls} == {"nn.conv2d", "nn.relu"}


def test_the_values_of_constants_are_there():
    module = partita.from_text("def @main(%x: Tensor[(3), float32]) { add(%x, 2f) }")
    npu = partita.backend("npu", {"add": lambda call: bool(call.args[1].data.numpy() == 2)})
    assert module.partition(npu).explain("op:add").backend == "npu"


def test_patterns_of_functions():
    conv_relu = rules.is_op("nn.relu")(rules.is_op("add")(rules.wildcard(), rules.wildcard()))
    module = sample("residual-block.relay")
    for accepted, backend in ((True, "npu"), (False, "default")):
        npu = partita.backend("npu", patterns=[("npu.add_relu", conv_relu, lambda call, value=accepted: value)])
        assert module.partition(npu).explain("op:add").backend == backend


def test_a_function_that_raises_refuses_with_its_traceback():
    def is_wanted(attrs):
        return attrs.nothing == 1

    def conv2d(call):
        return is_wanted(call.attrs)

    why = sample("residual-block.relay").partition(partita.backend("npu", {"nn.conv2d": conv2d})).explain(1)
    assert why.backend == "default"
    assert "AttributeError" in str(why) and "in conv2d" in str(why)
    assert why.causes[0].place.startswith("test_package.py:")


@pytest.mark.parametrize("verdict", ["yes", None, 1, [True], object()])
def test_a_function_that_returns_no_bool_refuses(verdict):
    why = sample("residual-block.relay").partition(partita.backend("npu", {"nn.conv2d": lambda call: verdict})).explain(1)
    assert why.backend == "default"
    assert "which is no bool" in str(why)


def test_bools_of_numpy_are_bools():
    npu = partita.backend("npu", {"nn.conv2d": lambda call: numpy.bool_(True)})
    assert sample("residual-block.relay").partition(npu).explain(1).backend == "npu"


def test_rules_that_are_no_functions_are_refused():
    with pytest.raises(TypeError):
        partita.backend("npu", {"nn.conv2d": 3})
    with pytest.raises(TypeError):
        partita.backend("npu", patterns=[("npu.add",)])
    with pytest.raises(partita.Error, match="not known here: nn.rellu"):
        partita.backend("npu", {"nn.rellu": True})


def test_a_function_may_divide_a_module_itself():
    inner = partita.backend("inner", {"nn.relu": lambda call: True})

    def conv2d(call):
        return bool(sample("residual-block.relay").partition(inner).regions)

    assert sample("residual-block.relay").partition(partita.backend("outer", {"nn.conv2d": conv2d})).regions


# Running.

def test_outputs_equal_those_of_the_command_line(tmp_path):
    path = os.path.join(SAMPLES, "residual-block.relay")
    data = numpy.random.default_rng(1).standard_normal((1, 16, 28, 28), dtype=numpy.float32)
    numpy.save(tmp_path / "data.npy", data)
    subprocess.run([CLI, "run", path, "--backends", "dnnl", "--input", "data=%s" % (tmp_path / "data.npy"), "--seed",
                    "7", "--threads", "1", "--output-dir", str(tmp_path)], check=True, capture_output=True)
    run = partita.open(path).partition("dnnl").run({"data": data}, seed=7, threads=1)
    assert numpy.array_equal(run.outputs[0], numpy.load(tmp_path / "output_0.npy"))
    assert run.threads == 1 and run.time["median"] > 0


def test_a_divided_module_computes_the_same():
    run = sample("residual-block.relay").partition("dnnl").compare()
    assert run.equal and run.differences[0]["within_tolerance"]
    with pytest.raises(partita.Error, match="not compared"):
        sample("diamond.relay").run().equal


def test_a_module_with_regions_runs_them(tmp_path):
    """As the command line does."""
    file = str(tmp_path / "divided.relay")
    sample("residual-block.relay").partition("dnnl").export(file)
    assert "dnnl" in [each["executed_by"] for each in partita.open(file).run().regions]
    assert [each["backend"] for each in sample("residual-block.relay").run().regions] == ["default"]


def test_values_of_arrays():
    x, y = numpy.arange(6, dtype=numpy.float32).reshape(2, 3), numpy.full((2, 3), 10, numpy.float32)
    assert numpy.array_equal(partita.from_text(ADD).run({"x": x, "y": y}).outputs[0], x + y)


def test_arrays_are_used_where_they_lie():
    x = numpy.ones((4096, 4096), numpy.float32)  # zeros have no memory of their own before they are read
    kept = partita._arrays({"x": x})["x"]
    assert address(kept) == address(x)
    assert partita._engine.address_of_tensor(kept) == address(x)
    module = unary("sum(%x)", "Tensor[(4096, 4096), float32]")
    before = peak_bytes()
    module.run({"x": x})
    assert peak_bytes() - before < x.nbytes // 2


def peak_bytes():
    with open("/proc/self/status") as status:
        return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def test_results_own_their_memory():
    run = partita.from_text(ADD).run({"x": numpy.ones((2, 3), numpy.float32), "y": numpy.ones((2, 3), numpy.float32)})
    output = run.outputs[0]
    assert type(output.base).__name__ == "PyCapsule"
    del run
    gc.collect()
    assert numpy.array_equal(output, numpy.full((2, 3), 2, numpy.float32))


def test_inputs_are_let_go():
    x = numpy.ones((2, 3), numpy.float32)
    gone = weakref.ref(x)
    partita.from_text(ADD).run({"x": x})
    del x
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("body", ["%x", "(%x, %x)", "reshape(%x, newshape=[3, 2])", "if (True) { %x } else { %x }"])
def test_results_share_no_memory_with_inputs(body):
    x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
    outputs = unary(body, "Tensor[(2, 3), float32]").run({"x": x}).outputs
    for output in outputs:
        output[...] = -1
    assert x[1, 2] == 5
    assert all(numpy.shares_memory(output, x) is False for output in outputs)


@pytest.mark.parametrize("body", ["add(%x, 1f)", "(%x, 1f)", "if (True) { 1f } else { 2f }"])
def test_results_share_no_memory_with_the_module(body):
    module = unary(body, "Tensor[(), float32]")
    for _ in range(2):
        outputs = module.run({"x": numpy.float32(3)}).outputs
        assert float(outputs[-1]) in (1, 4)
        outputs[-1][...] = 100


@pytest.mark.parametrize("x, message", [
    (numpy.zeros((2, 3)), "float64"),
    (numpy.zeros((2, 3), numpy.int32), "int32"),
    (numpy.zeros((2, 3), ">f4"), "byte order"),
    (numpy.zeros((3, 2), numpy.float32), r"shape \(3, 2\)"),
    (numpy.zeros((), numpy.float32), r"shape \(\)"),
    (numpy.zeros((0, 3), numpy.float32), r"shape \(0, 3\)"),
    (numpy.zeros((2, 3), "complex64"), "complex64"),
    (numpy.full((2, 3), "text"), "<U4"),
    (numpy.zeros((2, 3), object), "object"),
    (None, "object"),
    ([[1.0], [2.0, 3.0]], "inhomogeneous"),
])
def test_values_that_do_not_fit_are_refused(x, message):
    with pytest.raises((partita.Error, TypeError, ValueError), match=message):
        partita.from_text(ADD).run({"x": x})


def test_unknown_names_are_refused_with_those_that_there_are():
    with pytest.raises(partita.Error, match="'other'.*there are x, y"):
        partita.from_text(ADD).run({"other": numpy.zeros(1)})


def test_arrays_that_are_not_contiguous_are_copied():
    base = numpy.arange(24, dtype=numpy.float32)
    module = unary("add(%x, 1f)", "Tensor[(2, 3), float32]")
    for x in (base.reshape(4, 6)[::2, ::2], numpy.asfortranarray(base[:6].reshape(2, 3)), base[5::-1].reshape(2, 3)):
        assert numpy.array_equal(module.run({"x": x}).outputs[0], x + 1)


def test_read_only_and_shifted_arrays_are_taken():
    x = numpy.ones((2, 3), numpy.float32)
    x.flags.writeable = False
    bytes_of_it = numpy.zeros(25, numpy.uint8)
    shifted = bytes_of_it[1:].view(numpy.float32).reshape(2, 3)
    assert numpy.array_equal(partita.from_text(ADD).run({"x": x, "y": shifted}).outputs[0], x)


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (1,), (3, 0, 2)])
def test_zero_size_and_0d_arrays(shape):
    module = unary("add(%x, 1f)", "Tensor[(%s), float32]" % ", ".join(map(str, shape)))
    output = module.run({"x": numpy.zeros(shape, numpy.float32)}).outputs[0]
    assert output.shape == shape and (output == 1).all()


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"])
def test_types_of_elements(dtype):
    x = numpy.array([[1, 0], [0, 1]], dtype)
    output = unary("transpose(%x, axes=[1, 0])", "Tensor[(2, 2), %s]" % dtype).run({"x": x}).outputs[0]
    assert output.dtype == x.dtype and numpy.array_equal(output, x.T)


def test_bfloat16_is_its_bits():
    bits = numpy.array([0x3F80, 0x4000], numpy.uint16)
    output = unary("add(%x, %x)", "Tensor[(2), bfloat16]").run({"x": bits}).outputs[0]
    assert output.dtype == numpy.uint16 and list(output) == [0x4000, 0x4080]


@pytest.mark.parametrize("settings", [{"threads": -1}, {"threads": 10**9}, {"repeat": 0}, {"warmup": -1}])
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(partita.Error):
        partita.from_text(ADD).run(**settings)


@pytest.fixture(scope="module")
def wrong_plugin(tmp_path_factory):
    """A description whose library adds where it should subtract."""
    folder = tmp_path_factory.mktemp("wrong")
    source = open(os.path.join(SAMPLES, "plugin", "elementwise_plugin.c")).read()
    (folder / "wrong.c").write_text(source.replace("left[i] - right[i]", "left[i] + right[i]"))
    subprocess.run(["cc", "-shared", "-fPIC", "-I", os.path.join(SOURCE, "engine", "backends", "plugin"), "-o",
                    str(folder / "wrong.so"), str(folder / "wrong.c")], check=True)
    description = folder / "wrong.json"
    description.write_text(json.dumps({"name": "wrong", "ops": {"add": True, "subtract": True},
                                       "codegen": "plugin:" + str(folder / "wrong.so")}))
    return partita.load_backend(str(description))


def test_bisect_finds_the_operator_that_is_wrong(wrong_plugin):
    divided = sample("one-divide.relay").partition([wrong_plugin], allow_commands=True)
    found = partita.bisect(divided)
    assert found and [call.split(" ")[0] for call in found.calls] == ["subtract"]
    assert found.fault == "wrong values" and found.backend == "wrong" and found.region.startswith("wrong #")
    assert found.runs >= 1 and len(found.steps) >= 2 and "subtract" in found.steps[-1]
    # What is handed on shows the fault by itself.
    # Of the region's function, and of the operator in it.
    assert found.smallest.info()["calls"] == 2 and len(found.inputs) == 2
    a, b = found.inputs.values()
    assert numpy.allclose(found.smallest.run(found.inputs).outputs[0], a - b)
    assert "step" in found._repr_html_()


def test_bisect_finds_nothing_where_nothing_is_wrong():
    found = partita.bisect(sample("one-divide.relay").partition(["ccompiler"]))
    assert not found and found.calls == [] and found.smallest is None and repr(found) == "<Culprit none>"


def test_bisect_runs_no_code_without_permission(wrong_plugin):
    with pytest.raises(partita.Error, match="allow_commands"):
        partita.bisect(sample("one-divide.relay").partition([wrong_plugin]))


def test_code_of_descriptions_needs_permission():
    npu = {"name": "npu", "ops": {"add": True}, "codegen": "command:/bin/false"}
    with pytest.raises(partita.Error, match="allow_commands=True"):
        partita.from_text(ADD).partition(npu).run()


# Threads and signals.

def test_values_may_be_used_by_several_threads():
    module = sample("residual-block.relay")
    npu = partita.backend("npu", {"nn.conv2d": lambda call: call.attrs.groups == 1})
    expected = module.run(threads=1).outputs[0]
    faults = []

    def work():
        try:
            for _ in range(5):
                divided = module.partition([npu, "dnnl"])
                assert divided.explain(1).backend == "npu"
                assert numpy.allclose(divided.run(threads=1).outputs[0], expected, atol=1e-4)
                divided.coverage(), module.info(), divided.text()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_other_threads_run_meanwhile():
    """A function waits for what only another thread of Python can do."""
    came = threading.Event()
    waiting = threading.Event()

    def relu(call):
        waiting.set()
        return came.wait(60)

    helper = threading.Thread(target=lambda: (waiting.wait(60), came.set()))
    helper.start()
    assert sample("residual-block.relay").partition(partita.backend("npu", {"nn.relu": relu})).regions
    helper.join()


# Answers that depend on a constant's values are not kept; the second one never comes.
ASKED_AGAIN = """import time
m = partita.from_text('def @main(%x: Tensor[(100), float32]) { add(%x, broadcast_to(1f, shape=[100])) }')
answers = [False]
def rule(call):
    call.args[1].data.numpy()
    return answers.pop() if answers else time.sleep(1000)
divided = m.partition(partita.backend('npu', {'add': rule}), simplify=True)
print('ready', flush=True)
"""


@pytest.mark.parametrize("body", [
    "m = partita.from_text('def @main(%x: Tensor[(), float32]) { @loop(%x) } "
    "def @loop(%x: Tensor[(), float32]) -> Tensor[(), float32] { @loop(add(%x, 1f)) }')\n"
    "print('ready', flush=True)\nm.run()",
    "import time\nm = partita.from_text('def @main(%x: Tensor[(1), float32]) { tanh(%x) }')\n"
    "npu = partita.backend('npu', {'tanh': lambda call: time.sleep(1000)})\n"
    "print('ready', flush=True)\nm.partition(npu)",
    ASKED_AGAIN + "divided.explain_all()",
    ASKED_AGAIN + "divided.coverage()",
], ids=["run", "function", "explain", "coverage"])
def test_an_interrupt_cancels(body):
    program = "import partita\ntry:\n" + "".join("    %s\n" % line for line in body.split("\n"))
    program += "except KeyboardInterrupt:\n    print('cancelled', flush=True)\n"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "cancelled\n" and process.returncode == 0


def test_a_backend_works_after_an_interrupt(capfd):
    """The thread that was left behind ends without a word, a new one answers."""
    slow = [True]
    ended = threading.Event()

    def relu(call):
        if slow[0]:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
            slow[0] = False
            ended.set()
        return True

    npu = partita.backend("npu", {"nn.relu": relu})
    module = sample("residual-block.relay")
    with pytest.raises(KeyboardInterrupt):
        module.partition(npu)
    assert ended.wait(60)
    assert module.partition(npu).explain("op:nn.relu").backend == "npu"
    for thread in threading.enumerate():
        if thread.name == "partita backend npu" and not slow[0]:
            thread.join(0.2)
    assert capfd.readouterr().err == ""


# What Jupyter shows.

def test_pictures_and_tables():
    module = sample("residual-block.relay")
    divided = module.partition("dnnl")
    assert module._repr_svg_().startswith("<svg") and divided._repr_svg_().startswith("<svg")
    assert base64.b64encode(divided._repr_svg_().encode()).decode() in divided._repr_html_()
    assert "dnnl" in divided.coverage()._repr_html_()
    assert "whole run" in divided.run()._repr_html_()
    assert "nn.conv2d #1" in divided.explain(1)._repr_html_()


def test_names_are_escaped():
    def add(call):
        raise ValueError("<script>")

    divided = partita.from_text(ADD).partition(partita.backend("npu", {"add": add}))
    for shown in (divided.coverage(), divided.explain(1)):
        text = shown._repr_html_()
        assert "<script>" not in text and "&lt;script&gt;" in text


def test_large_modules_are_not_drawn():
    text = "def @main(%x: Tensor[(1), float32]) {\n"
    text += "".join("let %%v%d = tanh(%%%s);\n" % (i, "v%d" % (i - 1) if i else "x") for i in range(2000))
    module = partita.from_text(text + "%v1999 }")
    assert module._repr_svg_() is None and module._repr_html_() is None
