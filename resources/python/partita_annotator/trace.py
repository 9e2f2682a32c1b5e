"""Finds the condition that decided a verdict, by instrumenting the syntax tree of the file.

Every function notes the values of its conditions, of what it returns and of the names that stand in them. Of a false
verdict the way back is known then: the `return` that gave it, the last condition on which that `return` depends, and in
it the operand that decided; where that operand calls a function of the file, the same inside of it.
"""
import ast
import re
import types

from . import views

RUNTIME = "__partita_trace__"
_FRAME = "__partita_frame__"
_FLAG_OPERATORS = (ast.BitAnd, ast.BitOr)
_LEAVES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_LONGEST_VALUE, _LONGEST_LOCAL = 80, 400


class Site:
    """A condition, a `return` or an assignment: where it stands, and what it depends on."""

    __slots__ = ("kind", "node", "statement", "source", "governed_by", "name", "operator")

    def __init__(self, kind, node, statement, source, governed_by=(), name=None, operator=""):
        self.kind, self.node, self.statement, self.source = kind, node, statement, source
        self.governed_by, self.name, self.operator = tuple(governed_by), name, operator


class Source:
    """A file's name and lines."""

    def __init__(self, path, text):
        self.path, self.text, self.lines = path, text, text.splitlines()
        self.segments = {}

    def segment(self, node):
        """The node's text on one line."""
        if node not in self.segments:
            text = ast.get_source_segment(self.text, node) or ""
            text = re.sub(r"\s+", " ", re.sub(r"#[^\n'\"]*\n", "\n", text)).strip()
            self.segments[node] = text
        return self.segments[node]

    def line(self, number):
        return self.lines[number - 1].strip() if 0 < number <= len(self.lines) else ""


class Runtime:
    """What the instrumented functions call. A frame is a list of what happened in it, in order: pairs of a number and
    a value for what was noted, a nested list for a function of the file that was called."""

    def __init__(self):
        self.sites, self.told = [], {}
        self.top = []
        self.stack = [self.top]

    def begin(self):
        self.top = []
        self.stack = [self.top]

    def enter(self):
        frame = []
        self.stack[-1].append(frame)
        self.stack.append(frame)
        return frame

    def note(self, frame, number, value):
        frame.append((number, value))
        return value

    def leave(self, frame, number, value):
        frame.append((number, value))
        stack = self.stack
        while stack[-1] is not frame:  # frames that an exception left
            stack.pop()
            if not stack:
                stack.append(self.top)
                return value
        stack.pop()
        return value

    def number(self, of):
        self.sites.append(of)
        return len(self.sites) - 1


def _has_exit(node):
    stack = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return True
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(each))
    return False


def _is_generator(function):
    stack = list(function.body) if isinstance(function.body, list) else [function.body]
    while stack:
        each = stack.pop()
        if isinstance(each, (ast.Yield, ast.YieldFrom, ast.Await)):
            return True
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(each))
    return False


class Instrument(ast.NodeTransformer):
    """Rewrites the functions of one file."""

    def __init__(self, runtime, source):
        self.runtime, self.source = runtime, source
        self.inside = False
        self.statement = None

    # Pieces of code.

    def _call(self, method, number, value):
        function = ast.Attribute(ast.Name(RUNTIME, ast.Load()), method, ast.Load())
        made = ast.Call(function, [ast.Name(_FRAME, ast.Load()), ast.Constant(number), value], [])
        ast.copy_location(made, value)
        for part in (function, function.value, made.args[0], made.args[1]):
            ast.copy_location(part, value)
        return made

    def _noted(self, original, made):
        return self._call("note", self.runtime.number(original), made)

    # Expressions: each part that a condition is made of is noted.

    def _watch(self, node):
        """The node rewritten so that its parts' values are noted; its own value is noted by the caller."""
        if isinstance(node, ast.BoolOp):
            values = [self._noted(value, self._watch(value)) for value in node.values]
            return ast.copy_location(ast.BoolOp(node.op, values), node)
        if isinstance(node, ast.Tuple) and node.elts and isinstance(node.ctx, ast.Load):  # a verdict and its words
            first = self._noted(node.elts[0], self._watch(node.elts[0]))
            return ast.copy_location(ast.Tuple([first] + [self.visit(each) for each in node.elts[1:]], node.ctx), node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _FLAG_OPERATORS):
            left, right = (self._noted(part, self._watch(part)) for part in (node.left, node.right))
            return ast.copy_location(ast.BinOp(left, node.op, right), node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            operand = self._noted(node.operand, self._watch(node.operand))
            return ast.copy_location(ast.UnaryOp(node.op, operand), node)
        if isinstance(node, ast.Compare):
            parts = [self._leaf(part) for part in [node.left] + node.comparators]
            return ast.copy_location(ast.Compare(parts[0], node.ops, parts[1:]), node)
        if isinstance(node, ast.IfExp):
            test = self._noted(node.test, self._watch(node.test))
            body = self._noted(node.body, self._watch(node.body))
            orelse = self._noted(node.orelse, self._watch(node.orelse))
            return ast.copy_location(ast.IfExp(test, body, orelse), node)
        if isinstance(node, ast.Call):
            return self._watch_call(node)
        return self.visit(node)

    def _leaf(self, node):
        if isinstance(node, ast.Call):
            return self._noted(node, self._watch_call(node))
        if isinstance(node, _LEAVES):
            return self._noted(node, self.visit(node))
        if isinstance(node, ast.BinOp):
            made = ast.BinOp(self._leaf(node.left), node.op, self._leaf(node.right))
            return ast.copy_location(made, node)
        if isinstance(node, ast.UnaryOp):
            return ast.copy_location(ast.UnaryOp(node.op, self._leaf(node.operand)), node)
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [part if isinstance(part, ast.Starred) else self._leaf(part) for part in node.elts]
            return ast.copy_location(type(node)(parts, node.ctx), node)
        if isinstance(node, (ast.BoolOp, ast.Compare)):
            return self._noted(node, self._watch(node))
        return self.visit(node)

    def _watch_call(self, node):
        if _quantifier(node):
            made = self._watch_quantifier(node)
            if made is not None:
                return made
        arguments = [arg if isinstance(arg, ast.Starred) else self._leaf(arg) for arg in node.args]
        keywords = [ast.copy_location(ast.keyword(word.arg, self.visit(word.value)), word) for word in node.keywords]
        return ast.copy_location(ast.Call(self.visit(node.func), arguments, keywords), node)

    def _watch_quantifier(self, node):
        """`all` and `any` over elements that are written out, or a comprehension."""
        over = node.args[0]
        if isinstance(over, (ast.ListComp, ast.GeneratorExp)):
            element = self._noted(over.elt, self._watch(over.elt))
            made = type(over)(element, [self.visit(part) for part in over.generators])
        elif isinstance(over, (ast.List, ast.Tuple)) and not any(isinstance(e, ast.Starred) for e in over.elts):
            made = type(over)([self._noted(part, self._watch(part)) for part in over.elts], over.ctx)
        else:
            return None
        ast.copy_location(made, over)
        return ast.copy_location(ast.Call(self.visit(node.func), [made], []), node)

    # Functions.

    def visit_Lambda(self, node):
        if _is_generator(node):
            return node
        self.generic_visit(node.args)
        outer, self.inside = (self.inside, self.statement), True
        site = Site("return", node.body, node.body, self.source)
        self.statement = node.body
        body = self._call("leave", self.runtime.number(site), self._watch(node.body))
        self.inside, self.statement = outer
        # The frame is a parameter with a default that each call makes anew: (lambda frame: ...)(enter()).
        enter = ast.Call(ast.Attribute(ast.Name(RUNTIME, ast.Load()), "enter", ast.Load()), [], [])
        inner = ast.Lambda(ast.arguments([], [ast.arg(_FRAME)], None, [], [], None, []), body)
        made = ast.Lambda(node.args, ast.Call(inner, [enter], []))
        ast.copy_location(made, node)
        for part in ast.walk(made):
            if not hasattr(part, "lineno") and hasattr(part, "_attributes"):
                ast.copy_location(part, node)
        return ast.fix_missing_locations(made)

    def visit_FunctionDef(self, node):
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.args = self.generic_visit(node.args)
        if _is_generator(node):
            return node
        outer, self.inside = (self.inside, self.statement), True
        has_text = node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        text, rest = (node.body[:1], node.body[1:]) if has_text else ([], node.body)
        body, governed_by = self._block(rest, [])
        enter = ast.parse("%s = %s.enter()" % (_FRAME, RUNTIME)).body
        end = Site("end", None, node, self.source, governed_by)
        last = ast.parse("return %s.leave(%s, %d, None)" % (RUNTIME, _FRAME, self.runtime.number(end))).body
        for statement in enter + last:
            for part in ast.walk(statement):
                if "lineno" in getattr(part, "_attributes", ()):
                    ast.copy_location(part, node)
        node.body = text + enter + body + last
        self.inside, self.statement = outer
        return node

    def visit_AsyncFunctionDef(self, node):
        return node

    def visit_ClassDef(self, node):
        outer, self.inside = self.inside, False
        self.generic_visit(node)
        self.inside = outer
        return node

    # Statements of a function, and on which conditions each depends.

    def _block(self, statements, governed_by):
        made, governed_by = [], list(governed_by)
        for statement in statements:
            made.append(self._statement(statement, governed_by))
        return made, governed_by

    def _statement(self, node, governed_by):
        """Rewrites a statement; adds to `governed_by` the conditions that later ones depend on."""
        self.statement = node
        if isinstance(node, ast.Return):
            site = Site("return" if node.value is not None else "end", node.value, node, self.source, governed_by)
            value = self._watch(node.value) if node.value is not None else ast.copy_location(ast.Constant(None), node)
            return ast.copy_location(ast.Return(self._call("leave", self.runtime.number(site), value)), node)
        if isinstance(node, (ast.If, ast.While)):
            return self._branch(node, governed_by)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            site = Site("assign", node.value, node, self.source, governed_by, node.targets[0].id)
            value = self._call("note", self.runtime.number(site), self._watch(node.value))
            return ast.copy_location(ast.Assign(node.targets, value), node)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and \
                isinstance(node.op, _FLAG_OPERATORS):
            operator = "&" if isinstance(node.op, ast.BitAnd) else "|"
            site = Site("assign", node.value, node, self.source, governed_by, node.target.id, operator)
            value = self._call("note", self.runtime.number(site), self._watch(node.value))
            return ast.copy_location(ast.AugAssign(node.target, node.op, value), node)
        if isinstance(node, (ast.For, ast.With, ast.Try, ast.AsyncFor, ast.AsyncWith)):
            return self._nested(node, governed_by)
        return self.visit(node)

    def _branch(self, node, governed_by):
        site = Site("while" if isinstance(node, ast.While) else "if", node.test, node, self.source, governed_by)
        number = self.runtime.number(site)
        test = self._call("note", number, self._watch(node.test))
        exits = _has_exit(node)
        body, inner = self._block(node.body, governed_by + [number])
        orelse, other = self._block(node.orelse, governed_by + [number])
        if exits:
            governed_by += [each for each in dict.fromkeys([number] + inner + other) if each not in governed_by]
        return ast.copy_location(type(node)(test, body, orelse), node)

    def _nested(self, node, governed_by):
        for name in ("iter", "items"):
            if hasattr(node, name):
                value = getattr(node, name)
                setattr(node, name, [self.visit(v) for v in value] if isinstance(value, list) else self.visit(value))
        added = list(governed_by)
        for name in ("body", "orelse", "finalbody"):
            if getattr(node, name, None):
                block, inner = self._block(getattr(node, name), governed_by)
                setattr(node, name, block)
                added += [each for each in inner if each not in added]
        for handler in getattr(node, "handlers", ()):
            handler.body, inner = self._block(handler.body, governed_by)
            added += [each for each in inner if each not in added]
        governed_by[:] = added
        return node


def _quantifier(node):
    """`all` or `any`, where the node calls one of them."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("all", "any"):
        return node.func.id if len(node.args) == 1 and not node.keywords else None
    return None


def instrument(runtime, path, text, tree):
    """The syntax tree of a file whose functions note what decides."""
    return Instrument(runtime, Source(path, text)).visit(tree)


# Which condition decided.

class Decision:
    """The condition, with what it was looked for in."""

    def __init__(self, site, node, events, value=None):
        self.site, self.node, self.events, self.value = site, node, events, value


class Finder:
    """Walks back from a false verdict."""

    def __init__(self, runtime):
        self.runtime = runtime
        self.callers = []

    def decide(self, frame):
        """The decision of a frame: why it returned what it returned. Nothing where the frame was left otherwise."""
        if not frame or not isinstance(frame[-1], tuple):
            return None
        number, value = frame[-1]
        site = self.runtime.sites[number]
        if not isinstance(site, Site) or site.kind not in ("return", "end"):
            return None
        return self._decide_site(site, value, frame, len(frame) - 1)

    def _decide_site(self, site, value, frame, at):
        constant = site.node is None or isinstance(site.node, ast.Constant)
        if not constant:
            return self._decide_node(site, site.node, value, self._segment(frame, at), frame, at)
        for place in range(at - 1, -1, -1):
            event = frame[place]
            if isinstance(event, tuple) and event[0] in site.governed_by:
                test = self.runtime.sites[event[0]]
                found = self._decide_node(test, test.node, event[1], self._segment(frame, place), frame, place)
                return found
        return Decision(site, site.node, [], value)

    def _segment(self, frame, at):
        """What was noted between the last site before the place and the place."""
        begin = at
        while begin > 0:
            event = frame[begin - 1]
            if isinstance(event, tuple) and isinstance(self.runtime.sites[event[0]], Site):
                break
            begin -= 1
        return frame[begin:at]

    def _values(self, node, events):
        """Values of a node in order, with what was noted up to each."""
        found, begin = [], 0
        for place, event in enumerate(events):
            if isinstance(event, tuple) and self.runtime.sites[event[0]] is node:
                found.append((event[1], events[begin:place + 1]))
                begin = place + 1
        return found

    def _decide_node(self, site, node, value, events, frame, at):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._decide_node(site, node.operand, not value, events, frame, at)
        if isinstance(node, ast.BoolOp):
            decides_alone = isinstance(node.op, ast.Or) == bool(value)
            evaluated = [part for part in node.values if self._values(part, events)]
            if decides_alone and evaluated:
                inner, before = self._values(evaluated[-1], events)[-1]
                return self._decide_node(site, evaluated[-1], inner, before, frame, at)
            return Decision(site, node, events, value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _FLAG_OPERATORS):
            if isinstance(node.op, ast.BitOr) == bool(value):
                for part in (node.left, node.right):
                    for inner, before in self._values(part, events)[-1:]:
                        if bool(inner) == bool(value):
                            return self._decide_node(site, part, inner, before, frame, at)
            return Decision(site, node, events, value)
        if isinstance(node, ast.Tuple) and isinstance(value, tuple) and value:
            found = self._values(node.elts[0], events)
            if found:
                return self._decide_node(site, node.elts[0], found[-1][0], found[-1][1], frame, at)
        if isinstance(node, ast.IfExp):
            part = node.body if self._values(node.body, events) else node.orelse
            found = self._values(part, events)
            if found and not isinstance(part, ast.Constant):
                return self._decide_node(site, part, found[-1][0], found[-1][1], frame, at)
            test = self._values(node.test, events)
            if test:
                return self._decide_node(site, node.test, test[-1][0], test[-1][1], frame, at)
            return Decision(site, node, events, value)
        if isinstance(node, ast.Call):
            return self._decide_call(site, node, value, events, frame, at)
        if isinstance(node, ast.Name):
            assigned = self._assignment(node.id, value, frame, at)
            if assigned is not None:
                return assigned
        return Decision(site, node, events, value)

    def _assignment(self, name, flag, frame, at):
        """Where a name got its value: only a value that a condition or a function of the file made. Of several `&=`,
        the first that made it false; of several `|=`, the first that made it true."""
        turned = None
        for place in range(at - 1, -1, -1):
            event = frame[place]
            if not isinstance(event, tuple):
                continue
            site = self.runtime.sites[event[0]]
            if not isinstance(site, Site) or site.kind != "assign" or site.name != name:
                continue
            if site.operator:
                if bool(event[1]) == bool(flag) and (site.operator == "|") == bool(flag):
                    turned = place, site, event[1]
                elif turned is None and (site.operator == "|") != bool(flag):
                    return self._decide_node(site, site.node, event[1], self._segment(frame, place), frame, place)
                continue
            if turned is not None and bool(event[1]) != bool(flag):
                break
            telling = (ast.BoolOp, ast.BinOp, ast.Compare, ast.UnaryOp, ast.Call, ast.IfExp)
            if isinstance(site.node, telling) and (event[1] is False or event[1] is True):
                return self._decide_node(site, site.node, event[1], self._segment(frame, place), frame, place)
            if isinstance(site.node, ast.Constant) and site.governed_by and event[1] is False:
                return self._decide_site(site, event[1], frame, place)
            return None
        if turned is None:
            return None
        place, site, value = turned
        return self._decide_node(site, site.node, value, self._segment(frame, place), frame, place)

    def _decide_call(self, site, node, value, events, frame, at):
        kind = _quantifier(node)
        if kind:
            over = node.args[0]
            parts = [over.elt] if isinstance(over, (ast.ListComp, ast.GeneratorExp)) else getattr(over, "elts", [])
            wanted = kind == "any"
            if bool(value) == wanted:
                for part in parts:
                    for inner, before in self._values(part, events):
                        if bool(inner) == wanted:
                            return self._decide_node(site, part, inner, before, frame, at)
            return Decision(site, node, events, value)
        frames = [event for event in events if isinstance(event, list)]
        if frames and not value and frames[-1] and isinstance(frames[-1][-1], tuple) and frames[-1][-1][1] is value:
            found = self.decide(frames[-1])
            if found is not None:
                self.callers.append((site, node))
                return found
        return Decision(site, node, events, value)


# What is said of it.

def shown_local(value):
    """The value of a local name in words, also of what is only looked into."""
    if isinstance(value, views.Attrs):
        return shown_value(value.items(), _LONGEST_LOCAL)
    if isinstance(value, views.Array):
        return shown_value(list(value), _LONGEST_LOCAL)
    return shown_value(value, _LONGEST_LOCAL)


def shown_value(value, longest=_LONGEST_VALUE):
    """A value in words, or None where it would tell nothing."""
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodType, type)):
        return None
    if isinstance(value, (views.Attrs, views.ModuleView)) or type(value).__name__ == "Missing":
        return None
    if isinstance(value, views.Array) and any(isinstance(item, views.RelayExpr) for item in value):
        return None
    try:
        text = repr(value)
    except Exception as fault:  # of a class of the file
        text = "<%s>" % type(fault).__name__
    return text if len(text) <= longest else text[:longest - 3] + "..."


def label_of(text):
    """`attrs.groups` is told as `groups`."""
    plain = re.fullmatch(r"(?:\w+\.)*attrs\.(\w+)", text)
    quoted = re.fullmatch(r"(?:\w+\.)*attrs\[['\"](\w+)['\"]\]", text)
    found = plain or quoted
    return found.group(1) if found else text


def _told(node, conditions):
    """The parts of a condition whose values tell something, in the order of the text."""
    if node is None or isinstance(node, ast.Constant):
        return []
    if isinstance(node, ast.Call):
        if node in conditions:  # its own value is known
            return [part for arg in node.args for part in _told(arg, ())]
        return [node]
    if isinstance(node, _LEAVES):
        return [node]
    if isinstance(node, ast.BoolOp):
        return [part for value in node.values for part in _told(value, [value])]
    if isinstance(node, ast.UnaryOp):
        return _told(node.operand, [node.operand] if isinstance(node.op, ast.Not) else ())
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return _told(node.elt, [node.elt])
    return [part for child in ast.iter_child_nodes(node) for part in _told(child, ())]


def values_of(runtime, decision):
    """Pairs of a name and its value in words."""
    sites, last = runtime.sites, {}
    for event in decision.events:
        if type(event) is tuple:
            last[sites[event[0]]] = event[1]
    told = runtime.told.get(decision.node)
    if told is None:
        source = decision.site.source
        told = [(node, label_of(source.segment(node))) for node in _told(decision.node, [decision.node])]
        runtime.told[decision.node] = told
    pairs = {}
    if isinstance(decision.node, _LEAVES) and not isinstance(decision.node, ast.Call):
        last.setdefault(decision.node, decision.value)
    for node, label in told:
        if node in last and label not in pairs:
            shown = shown_value(last[node])
            if shown is not None:
                pairs[label] = shown
    return list(pairs.items())


def place_of(decision):
    """Line and text of what decided: the head of its statement where that is one line, else its own."""
    site, node = decision.site, decision.node
    statement, source = site.statement, site.source
    if node is None:  # the end of a function
        name = getattr(statement, "name", "")
        return (statement.lineno, "the end of %s, without a return" % name if name else "return")
    whole = site.node
    on_one_line = getattr(whole, "lineno", 0) == statement.lineno == whole.end_lineno
    if site.kind in ("if", "while") and on_one_line:
        head = "elif" if source.line(statement.lineno).startswith("elif") else site.kind
        return statement.lineno, "%s %s:" % (head, source.segment(whole))
    if site.kind == "return" and on_one_line and isinstance(statement, ast.Return):
        return statement.lineno, "return " + source.segment(whole)
    if site.kind == "assign" and on_one_line:
        return statement.lineno, "%s %s= %s" % (site.name, site.operator, source.segment(whole))
    if node is whole and site.kind in ("if", "while"):
        return statement.lineno, "%s %s:" % (site.kind, source.segment(whole))
    if node is whole and site.kind == "return" and isinstance(statement, ast.Return):
        return statement.lineno, "return " + source.segment(whole)
    return node.lineno, source.segment(node)


def explain_accepted(runtime):
    """Where the function asked last returned its true value, with the values that stand there; or None."""
    frames = [event for event in runtime.top if isinstance(event, list)]
    if not frames or not frames[-1] or not isinstance(frames[-1][-1], tuple):
        return None
    number, value = frames[-1][-1]
    site = runtime.sites[number]
    if not isinstance(site, Site) or site.kind != "return":
        return None
    events = Finder(runtime)._segment(frames[-1], len(frames[-1]) - 1)
    return said_of(runtime, Decision(site, site.node, events, value))


def explain(runtime, value):
    """What decided that the function asked last returned a false value, or None."""
    frames = [event for event in runtime.top if isinstance(event, list)]
    if not frames:
        return None
    finder = Finder(runtime)
    decision = finder.decide(frames[-1])
    if decision is None:
        return None
    said = said_of(runtime, decision)
    if finder.callers:
        said["called_from"] = [node.lineno for _, node in reversed(finder.callers)]
    return said


def _truth_of(value):
    """Python's own truth of a value; False where that raises, as of arrays."""
    try:
        return bool(value)
    except Exception:
        return False


def said_of(runtime, decision):
    """A decision as members of an answer."""
    line, text = place_of(decision)
    said = {"file": decision.site.source.path, "line": line, "text": text, "values": values_of(runtime, decision)}
    if decision.node is not None:
        node = decision.node
        said["span"] = [node.lineno, node.col_offset, node.end_lineno, node.end_col_offset]
        said["holds"] = _truth_of(decision.value)
    return said
