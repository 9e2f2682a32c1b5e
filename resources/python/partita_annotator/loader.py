"""Opens an annotator's file: as it is, or instrumented."""
import ast
import importlib.abc
import importlib.util
import inspect
import os
import sys
import traceback

from . import flow, fx, names, patterns, trace, vela, views
from .views import Lacks

_PACKAGE = names._PACKAGE
_TREES = {}


class Fault(Exception):
    """What is wrong with a file, and where."""

    def __init__(self, message, file=None, line=None):
        super().__init__(message)
        self.message, self.file, self.line = message, file, line


def undefined_names(module):
    """Names that the module's file reads, and that nothing in it defines."""
    tree = _TREES.get(module)
    if tree is None:
        return []
    read, defined = set(), set(names.BUILTIN_NAMES)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else defined).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.alias):
            defined.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            defined.add(node.name)
    return sorted(read - defined)


class FolderFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the files beside the annotator's, whether it imports them by name or with a dot."""

    def __init__(self, folder, runtime):
        self.folder, self.runtime = folder, runtime
        self.loaded = []

    def find_spec(self, name, path, target=None):
        parent, _, last = name.rpartition(".")
        known = parent == _PACKAGE and name in names._MODULES
        if parent not in ("", _PACKAGE) or known or last in sys.stdlib_module_names:
            return None
        file = os.path.join(self.folder, last + ".py")
        if os.path.abspath(file) not in _GIVEN:
            if not _GIVEN or not os.path.isfile(file):
                return None
            raise ImportError("%s is imported by a name that no file writes out: it was not asked about whether it "
                              "may run" % os.path.basename(file))
        return importlib.util.spec_from_loader(name, self, origin=file)

    def exec_module(self, module):
        self.loaded.append(module.__name__)
        module.__file__ = module.__spec__.origin
        if module.__name__.startswith(_PACKAGE):
            module.__package__ = _PACKAGE
        run_file(module, self.runtime)


_VELA_METHODS = ("is_operator_supported", "is_operator_semantic_valid")
_TEXTS = {}  # by path: what is instrumented later is what was loaded first, whatever the file holds by then
_GIVEN = set()  # the files that may run; where none are named, all may


def give_texts(texts):
    for path, text in texts.items():
        path = os.path.abspath(path)
        _TEXTS[path] = text.removeprefix("\ufeff").replace("\r\n", "\n")
        _GIVEN.add(path)


def read_text(path):
    path = os.path.abspath(path)
    try:
        if path not in _TEXTS:
            with open(path, encoding="utf-8-sig") as file:
                _TEXTS[path] = file.read()
        return _TEXTS[path]
    except (OSError, UnicodeDecodeError) as fault:
        raise Fault("the file can't be read: %s" % fault, path) from None


def parse_file(path):
    """The text of a file and its syntax tree."""
    text = read_text(path)
    try:
        return text, ast.parse(text, path)
    except (SyntaxError, ValueError, RecursionError) as fault:
        raise Fault("syntax error: %s" % getattr(fault, "msg", fault), path, getattr(fault, "lineno", None)) from None


_DECORATOR = "__partita_decorator__"


class LenientDecorators(ast.NodeTransformer):
    """Passes over decorators that are lacking: what they decorate stays as it is."""

    def __init__(self):
        self.of_class = set()  # names of the class around, which a function in it does not see

    def _visit(self, node):
        outer, self.of_class = self.of_class, set()
        if isinstance(node, ast.ClassDef):
            self.of_class = {name.id for part in node.body if isinstance(part, ast.Assign) for target in part.targets
                             for name in ast.walk(target) if isinstance(name, ast.Name)}
        self.generic_visit(node)
        self.of_class = outer
        for i, each in enumerate(node.decorator_list):
            used = sorted({name.id for name in ast.walk(each) if isinstance(name, ast.Name)} & self.of_class)
            thunk = ast.Lambda(ast.arguments([], [ast.arg(name) for name in used], None, [], [], None,
                                             [ast.Name(name, ast.Load()) for name in used]), each)
            made = ast.Call(ast.Name(_DECORATOR, ast.Load()), [thunk, ast.Constant(each.lineno)], [])
            for part in (thunk, thunk.args, made, made.func, made.args[1], *thunk.args.args, *thunk.args.defaults):
                ast.copy_location(part, each)
            node.decorator_list[i] = made
        return node

    visit_FunctionDef = visit_ClassDef = visit_AsyncFunctionDef = _visit


def lenient_decorator(path):
    def make(thunk, line):
        def decorate(decorated):
            try:
                return thunk()(decorated)
            except Lacks as fault:
                names.REGISTRY.warnings.append({"text": "a decorator is left out: %s" % fault, "file": path, "line": line})
                return decorated

        return decorate

    return make


def run_file(module, runtime):
    """Runs the file of a module in it; with a runtime it is instrumented."""
    text, tree = parse_file(module.__file__)
    _TREES[module.__name__] = tree
    vars(module)[_DECORATOR] = lenient_decorator(module.__file__)
    tree = ast.parse(text, module.__file__)
    if runtime is not None:
        vars(module)[trace.RUNTIME] = runtime
        tree = trace.instrument(runtime, module.__file__, text, tree)
    code = compile(ast.fix_missing_locations(LenientDecorators().visit(tree)), module.__file__, "exec")
    exec(code, vars(module))


def place_in_file(fault, folder):
    """File and line of the innermost frame that stands in the annotator's folder."""
    place = (None, None)
    for frame, line in traceback.walk_tb(fault.__traceback__):
        file = frame.f_code.co_filename
        if os.path.dirname(file) == folder:
            place = (file, line)
    return place


def words_of(fault):
    """`NameError: name 'x' is not defined`; of what is lacking the bare message."""
    message = str(fault)
    if isinstance(fault, (Lacks, Fault)):
        return message
    return "%s: %s" % (type(fault).__name__, message) if message else type(fault).__name__


class Annotator:
    """A file that was loaded: its rules and its patterns with their checks."""

    def __init__(self, path, runtime=None):
        self.path = os.path.abspath(path)
        self.folder = os.path.dirname(self.path)
        self.runtime = runtime
        self.warnings = []
        self.module = self._load()

    def _load(self):
        registry = self.registry = names.begin_registry()
        self.of_file = False
        if any(method in read_text(self.path) for method in _VELA_METHODS):
            names._MODULES.update({_PACKAGE + "." + name: table for name, table in vela.modules().items()})
        stem = os.path.splitext(os.path.basename(self.path))[0]
        name = _PACKAGE + "." + stem
        spec = importlib.util.spec_from_loader(name, None, origin=self.path)
        module = importlib.util.module_from_spec(spec)
        module.__file__, module.__package__ = self.path, _PACKAGE
        finder = FolderFinder(self.folder, self.runtime)
        before = sys.modules.get(name)
        sys.modules[name] = module
        sys.meta_path.insert(0, finder)
        try:
            run_file(module, self.runtime)
            self._add_uma_backends(module, registry)
            self._add_rules_of_file(module, registry)
            self.warnings += registry.warnings
        except Fault:
            raise
        except BaseException as fault:
            if isinstance(fault, KeyboardInterrupt):
                raise
            raise Fault(words_of(fault), *place_in_file(fault, self.folder)) from fault
        finally:
            sys.meta_path.remove(finder)
            for loaded in finder.loaded:
                sys.modules.pop(loaded, None)
        return module

    @staticmethod
    def _add_uma_backends(module, registry):
        for value in list(vars(module).values()):
            is_class = isinstance(value, type) and issubclass(value, names.UMABackend)
            if is_class and value is not names.UMABackend and value.__module__ == module.__name__:
                backend = value()
                registry.tables.setdefault(backend.target_name, backend.patterns)

    def _add_rules_of_file(self, module, registry):
        """Classes with rules about the operators of the model's file: Vela's, and those over torch.fx nodes. A target
        for each class, but one for all configurations of single operators."""
        own = [value for value in vars(module).values()
               if isinstance(value, type) and value.__module__ == module.__name__]
        configs, rules, checks = {}, {}, []
        for value in own:
            methods = [name for name in _VELA_METHODS if name in vars(value)]
            if methods:
                rules[value.__name__] = vela.rule_of(self._made(value), methods[0])
            elif issubclass(value, fx.TargetCheck) and value.targets:
                checks.append(self._made(value))
            elif hasattr(value, "is_node_supported"):
                rules[value.__name__] = fx.rule_of(self._made(value))
            elif hasattr(value, "check_constraints") and getattr(value, "target_name", ""):
                configs[value.target_name] = self._made(value)
        if checks:
            rules[os.path.splitext(os.path.basename(self.path))[0]] = fx.rule_of_checks(checks)
        if configs:
            rules[os.path.splitext(os.path.basename(self.path))[0]] = fx.rule_of_configs(configs)
        for name, rule in reversed(rules.items()):  # the last class of a file is made of those before it
            registry.ops[name] = {"opaque": rule}
        self.of_file = bool(rules)

    @staticmethod
    def _made(kind):
        """An instance; parameters without a default get stand-ins."""
        given = {}
        for parameter in list(inspect.signature(kind.__init__).parameters.values())[1:]:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            if parameter.default is parameter.empty:
                given[parameter.name] = fx.Reporter() if "report" in parameter.name else names.Missing(parameter.name)
        return kind(**given)

    def holds(self, filename):
        """Whether a frame of that file is the annotator's own."""
        return os.path.dirname(filename) == self.folder

    # The target, and what the file says of it.

    def choose(self, wanted):
        """The target: the one that is wanted, else the file's only or first one."""
        targets = self.registry.targets()
        if wanted and wanted in targets:
            return wanted
        if not targets:
            raise Fault("the file registers no rule: it has no register_op_attr(\"...\", \"target.X\") no "
                        "register_pattern_table and no register_patterns", self.path)
        if wanted and not self.of_file:
            raise Fault("the file registers rules for %s, not for %s" % (", ".join(targets), wanted), self.path)
        if len(targets) > 1:
            self.warnings.append({"text": "the file registers several targets: %s; %s is taken"
                                  % (", ".join(targets), targets[0])})
        return targets[0]

    def function(self, rule):
        """The check of a number, or the rule for an operator."""
        if isinstance(rule, int):
            return self.checks[rule]
        return self.functions[rule] if rule in self.functions else self.functions["opaque"]

    def rules_of(self, target):
        return self.registry.ops.get(target, {})

    def table_of(self, target):
        return list(self.registry.tables.get(target) or [])

    def partition_functions(self):
        found = []
        for name, value in vars(self.module).items():
            own = getattr(value, "__module__", None) == self.module.__name__
            if name.startswith("partition_for_") and callable(value) and own:
                found.append(value)
        return found

    def record_flow(self, target):
        """What the file's own `partition_for_X` applies; None where there is none or it can't be run."""
        for function in self.partition_functions():
            try:
                recording = flow.record(function)
            except Exception as fault:
                file, line = place_in_file(fault, self.folder)
                self.warnings.append({"text": "%s is not run: %s" % (function.__name__, words_of(fault)),
                                      "file": file, "line": line})
                continue
            described = recording.describe(function)
            if described["targets"] and target not in described["targets"]:
                continue
            if recording.passes:
                return recording, described
        return None, None


def entries_of(table, warnings, path):
    """(name, text, check, pattern) for each pattern of a table that can be written in the program's language."""
    entries = []
    for entry in table:
        if not entry:
            continue
        name, pattern = str(entry[0]), entry[1]
        check = entry[2] if len(entry) > 2 else None
        try:
            entries.append((name, patterns.pattern_text(pattern), check, pattern))
        except Lacks as fault:
            warnings.append({"text": "the pattern %s is left out: %s" % (name, fault), "file": path})
    return entries


__all__ = ["Annotator", "Fault", "entries_of", "place_in_file", "words_of", "views"]
