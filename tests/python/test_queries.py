"""The package partita: nodes, gates, what if, placement, pickles, and types."""
import importlib.util
import os
import pickle
import subprocess
import sys
import types

import pytest

import partita

SOURCE = os.environ["PARTITA_SOURCE_DIR"]
DIAMOND = os.path.join(SOURCE, "samples", "diamond.relay")


def diamond():
    return partita.open(DIAMOND)


def test_nodes_and_edges_are_plain():
    nodes = diamond().nodes()
    assert [node["name"] for node in nodes] == ["add #1", "exp #2", "multiply #3", "subtract #4"]
    assert nodes[1]["inputs"] == ["add #1"] and nodes[1]["shape"] == [4, 8] and nodes[1]["dtype"] == "float32"
    assert [(edge["source"], edge["target"]) for edge in diamond().edges()] == [
        ("add #1", "exp #2"), ("add #1", "multiply #3"), ("exp #2", "subtract #4"), ("multiply #3", "subtract #4")]


def test_nodes_of_a_division_tell_where_they_are():
    nodes = diamond().partition("ccompiler").nodes()
    assert [(node["backend"], node["region"]) for node in nodes] == [
        ("ccompiler", "ccompiler #1"), ("default", None), ("ccompiler", "ccompiler #1"), ("ccompiler", "ccompiler #4")]


def test_nodes_of_an_unknown_graph_keep_their_names():
    graph = ('{"format": "partita-graph", "version": 1, "inputs": ["x"], "outputs": ["y"], "nodes": ['
             '{"name": "a", "op": "Frob", "inputs": ["x"], "outputs": ["t"]},'
             '{"name": "b", "op": "Frob2", "inputs": ["t"], "outputs": ["y"]}]}')
    module = partita.from_text(graph)
    assert [(node["name"], node["op"]) for node in module.nodes()] == [("a", "Frob"), ("b", "Frob2")]
    divided = module.partition({"name": "npu", "ops": {"Frob": True}})
    assert [node["backend"] for node in divided.nodes()] == ["npu", "default"]


def test_calls_are_found_in_the_language_of_find():
    divided = diamond().partition("ccompiler")
    assert [call["call"] for call in divided.calls("backend:default")] == ["exp #2"]
    assert len(divided.calls()) == 4 and not divided.calls("op:exp -backend:default")
    with pytest.raises(partita.Error, match="no key of a query"):
        divided.calls("colour:red")


def test_gates_hold_or_name_the_calls(tmp_path):
    divided = diamond().partition("ccompiler")
    divided.gate(at_least={"ccompiler": 75, "*": 75}, most_regions=2, forbid="op:nn.conv2d",
                 write_baseline=tmp_path / "b.json")
    divided.gate(baseline=tmp_path / "b.json")
    with pytest.raises(partita.GateError) as raised:
        divided.gate(at_least="ccompiler=90%:work", most_regions={"ccompiler": 1}, forbid=["op:exp"])
    assert raised.value.faults == ["75 % of the operations are on ccompiler, fewer than 90 %",
                                   "2 regions of ccompiler, more than 1", "exp #2 is on default: no rule for exp"]
    assert pickle.loads(pickle.dumps(raised.value)).faults == raised.value.faults
    with pytest.raises(partita.GateError, match="multiply #3 was on ccompiler"):
        diamond().partition("ccompiler", overrides={3: "default"}).gate(baseline=tmp_path / "b.json")
    with pytest.raises(partita.GateError, match="exp #2 is not on ccompiler"):
        divided.require("ccompiler", "op:exp")
    divided.require("ccompiler", "op:add")
    for wrong in ({"at_least": "x"}, {"most_regions": "x"}, {"forbid": ""}, {"at_least": "npu=3"},
                  {"baseline": DIAMOND}, {"require": "npu"}):
        with pytest.raises(partita.Error) as raised:
            divided.gate(**wrong)
        assert not isinstance(raised.value, partita.GateError)


def test_what_if_names_the_change():
    found = diamond().partition("ccompiler").what_if()
    assert found[0]["cause"] == "no rule for exp" and found[0]["regions_after"] == 1
    assert diamond().partition("ccompiler").what_if(best=1) == found[:1]
    with pytest.raises(partita.Error):
        diamond().partition("ccompiler").what_if(by="beauty")


def test_float16_is_for_litert_models():
    with pytest.raises(partita.Error, match="float16 is for LiteRT models"):
        partita.open(DIAMOND, float16="*")


def test_a_placement_divides(tmp_path):
    divided = diamond().partition(["ccompiler", "dnnl_all"])
    placement = divided.place(seconds=0.5, costs=tmp_path / "costs.json")
    assert sorted(placement.overrides) == [1, 2, 3, 4] and placement.predicted_ms >= placement.bound_ms * 0.999
    chosen = {call["number"]: call["backend"] for call in placement.partitioned.calls()}
    assert chosen == placement.overrides
    assert (tmp_path / "costs.json").exists()


def test_partitioners_and_their_options():
    assert len(diamond().partition("ccompiler", partitioner="each").regions) == 3
    one = diamond().partition("ccompiler", partitioner="tflite", options={"n": 1})
    assert len(one.regions) == 1
    with pytest.raises(partita.Error, match="no partitioner"):
        diamond().partition("ccompiler", partitioner="ech")


def test_outputs_have_names_and_places():
    run = diamond().run()
    assert run.output_names == ["output"] and run["output"] is run[0] and len(run) == 1 and list(run) == run.outputs
    with pytest.raises(KeyError, match="no output 'z'; there are output"):
        run["z"]
    named = partita.from_text("def @main(%x: Tensor[(2), float32]) { (exp(%x), %x) }").run()
    assert named.output_names == ["output_0", "output_1"] and len(named) == 2


def test_pickles_divide_again():
    divided = diamond().partition(["ccompiler"], overrides={3: "default"})
    again = pickle.loads(pickle.dumps(divided))
    assert again.calls() == divided.calls() and repr(again) == repr(divided)
    assert pickle.loads(pickle.dumps(diamond())).text() == diamond().text()
    with pytest.raises(partita.Error, match="can't be pickled"):
        pickle.dumps(diamond().partition(partita.backend("npu", {"add": lambda call: True})))


def test_tables_are_made_of_flat_rows(monkeypatch):
    frames = types.ModuleType("pandas")
    frames.DataFrame = lambda rows: rows
    monkeypatch.setitem(sys.modules, "pandas", frames)
    divided = diamond().partition("ccompiler")
    assert {"op": "exp", "backend": "default", "calls": 1, "flops": 32, "parameter_bytes": 0} in (
        divided.coverage().to_dataframe())
    assert {row["call"] for row in divided.to_dataframe()} == {"add #1", "exp #2", "multiply #3", "subtract #4"}
    assert divided.run().to_dataframe()[0]["name"] == "default"


def test_networks_have_nodes_and_edges(monkeypatch):
    class MultiDiGraph:
        def __init__(self):
            self.nodes, self.edges = {}, []

        def add_node(self, name, **attributes):
            self.nodes[name] = attributes

        def add_edge(self, source, target, **attributes):
            self.edges.append((source, target))

    network = types.ModuleType("networkx")
    network.MultiDiGraph = MultiDiGraph
    monkeypatch.setitem(sys.modules, "networkx", network)
    graph = diamond().partition("ccompiler").to_networkx()
    assert graph.nodes["exp #2"]["backend"] == "default" and len(graph.edges) == 4


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_types_are_strict(tmp_path):
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nstrict = True\ncache_dir = %s\n[mypy-partita._annotator.*]\nignore_errors = True\n"
                        % (tmp_path / "cache"))
    found = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(settings), "-p", "partita"],
                           env={**os.environ, "MYPYPATH": os.path.dirname(os.path.dirname(partita.__file__))},
                           cwd=tmp_path, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
