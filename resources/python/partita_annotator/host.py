"""Answers the program's requests on standard input and output, one JSON object a line."""
import gc
import json
import os
import signal
import sys
import threading
import time
import traceback

from . import flow, fx, loader, names, trace, vela, views, walk

_MOST_FRAMES = 12
_LONGEST_TEXT, _LONGEST_ANSWER = 1000, 1 << 18
_LONGEST_BUFFERED = 0.5  # seconds that an answer waits for others


class Stopped(BaseException):
    """A rule took too long. No handler of `Exception` in a file catches it."""


class TimeLimit:
    """Runs rules, and interrupts those that go on for ever. A rule that did so has a tenth of the time for its other
    calls, and is not asked any more when it took three times the limit."""

    def __init__(self):
        self.seconds, self.lost, self.runs = None, {}, False
        self.can_interrupt = threading.current_thread() is threading.main_thread()
        if self.can_interrupt:
            signal.signal(signal.SIGALRM, self._interrupt)

    def _interrupt(self, *_):
        if self.runs:
            raise Stopped("it did not end within %g s" % self.limit)

    def run(self, rule, function, argument):
        if self.seconds is None or not self.can_interrupt:
            return function(argument)
        lost = self.lost.get(rule, 0)
        if lost >= 3 * self.seconds:
            raise Stopped("it is not asked any more: it took too long for other calls")
        self.limit = self.seconds / 10 if lost else self.seconds
        try:
            self.runs = True
            signal.setitimer(signal.ITIMER_REAL, self.limit, self.limit)
            return function(argument)
        except Stopped:
            self.lost[rule] = lost + self.limit
            raise
        finally:
            self.runs = False
            signal.setitimer(signal.ITIMER_REAL, 0)


class Host:
    def __init__(self, requests, replies):
        self.requests, self.replies = requests, replies
        self.annotators = {}
        self.number, self.module = None, None
        self.path, self.backend, self.config, self.walk = None, "", {}, None
        self.time_limit = TimeLimit()

    def send(self, **reply):
        self.replies.write(json.dumps(reply) + "\n")

    def run(self):
        for line in self.requests:
            gc.disable()  # a module is many objects, none of them garbage
            request = json.loads(line)
            gc.freeze()
            gc.enable()
            if "texts" in request:
                loader.give_texts(request["texts"])
            self.reply(request)

    def reply(self, request):
        try:
            getattr(self, "do_" + request["do"])(request)
        except loader.Fault as fault:
            self.send(error=fault.message, file=fault.file, line=fault.line)
        self.replies.flush()

    # Loading.

    def do_describe(self, request):
        self.path, self.backend = request["file"], request.get("backend", "")
        annotator = self._load(None)
        table, described = self._table(annotator)
        entries = loader.entries_of(table, annotator.warnings, annotator.path)
        self.send(name=self.target, ops=sorted(annotator.rules_of(self.target)),
                  patterns=[{"name": name, "pattern": text, "check": check is not None}
                            for name, text, check, _ in entries],
                  flow=described, warnings=annotator.warnings,
                  operators="file" if annotator.of_file else "module")

    def do_parse(self, request):
        loader.parse_file(request["file"])
        self.send(ops=[])

    def _load(self, runtime):
        """The file, once as it is and once instrumented."""
        traced = runtime is not None
        if traced not in self.annotators:
            annotator = loader.Annotator(self.path, runtime)
            self.target = annotator.choose(self.backend)
            table, _ = self._table(annotator)
            entries = loader.entries_of(table, [], annotator.path)
            annotator.functions = dict(annotator.rules_of(self.target))
            annotator.checks = [check for _, _, check, _ in entries]
            self.annotators[traced] = annotator
        return self.annotators[traced]

    def _table(self, annotator):
        if not hasattr(annotator, "recorded"):
            annotator.recorded = annotator.record_flow(self.target)
        recording, described = annotator.recorded
        if recording is not None:
            self.config = recording.config
        table = annotator.table_of(self.target)
        if recording is not None and recording.table is not None:
            table = list(recording.table)
        return table, described

    def do_convert(self, request):
        from . import convert
        self.path, self.backend = request["file"], request.get("backend", "")
        annotator = self._load(None)
        table, _ = self._table(annotator)
        with flow.PassContext(config=self.config):
            converter = convert.Converter(annotator, self.target, table, request["operators"])
            description = converter.description(self.backend or self.target)
        self.send(description=description, left=converter.left)

    # Questions.

    def do_module(self, request):
        if request["module"] != self.number:
            self.number, self.module = request["module"], views.ModuleView(self.fetch_data)
        self.module.add(request["expressions"], request.get("types", ()), request.get("attributes", ()))

    def fetch_data(self, number):
        self.send(need=number)
        self.replies.flush()
        return json.loads(self.requests.readline())["data"]

    def do_ask(self, request):
        runtime = None
        if request.get("trace"):
            runtime = self.annotators[True].runtime if True in self.annotators else trace.Runtime()
        annotator = self._load(runtime)
        answer = self._walked if request.get("walk") else self._answer
        self.walk = request.get("walk")
        self.time_limit.seconds = request.get("seconds")
        flushed = time.monotonic()
        with flow.PassContext(config=self.config):
            for rule, call in request["questions"]:
                said = answer(annotator, rule, call)
                if len(said) > _LONGEST_ANSWER:
                    said = json.dumps({"call": call, "accepted": False, "error": "what it says of this call is too long"})
                self.replies.write(said + "\n")
                if time.monotonic() - flushed > _LONGEST_BUFFERED:
                    self.replies.flush()
                    flushed = time.monotonic()
        self.send(done=len(request["questions"]))

    def _walked(self, annotator, rule, call):
        """The verdict with the lines that were reached; it is not kept."""
        function = annotator.function(rule)
        accepted = False
        with walk.Walk(annotator.path, self.walk) as walked:
            try:
                accepted = self.time_limit.run(rule, lambda asked: bool(function(asked)), self.module[call])
            except BaseException:  # the lines up to there are what was asked for
                pass
        return json.dumps({"call": call, "accepted": accepted, "walk": walked.steps})

    def _answer(self, annotator, rule, call):
        function = annotator.function(rule)
        runtime, module = annotator.runtime, self.module
        touched = module.touched
        touched.clear()
        module.fetched = annotator.of_file  # what such rules look at is not followed
        if runtime is not None:
            runtime.begin()
        try:
            value, accepted = self.time_limit.run(rule, lambda asked: _verdict(function(asked)), module[call])
        except BaseException as fault:  # whatever a rule does costs this call alone
            return self._failed(annotator, function, call, fault, -1 if module.fetched else module.depth(call, touched))
        depth = -1 if module.fetched else module.depth(call, touched)
        if accepted:
            known = self.accepted(annotator)
            return '{"call":%d,"accepted":true,"depth":%d%s}' % (call, depth, known and "," + known)
        known = self.refused(annotator, function, value)
        return '{"call":%d,"accepted":false,"depth":%d%s}' % (call, depth, known and "," + known)

    def refused(self, annotator, function, value):
        """Returns what is known of the condition that decided, as members of a JSON object."""
        if annotator.runtime is None:
            return ""
        said = trace.explain(annotator.runtime, value) or ({} if annotator.of_file else self.place_of(function))
        if isinstance(value, vela.Refusal):
            said["reason"] = value.words[:_LONGEST_TEXT]
        return json.dumps(said)[1:-1]

    @staticmethod
    def accepted(annotator):
        """The same of where a rule accepted."""
        said = trace.explain_accepted(annotator.runtime) if annotator.runtime is not None else None
        return json.dumps(said)[1:-1] if said else ""

    @staticmethod
    def place_of(function):
        """Of a function that is not in the file: where it stands, if that is known."""
        code = getattr(function, "__code__", None)
        return {"file": code.co_filename, "line": code.co_firstlineno} if code else {}

    def _failed(self, annotator, function, call, fault, depth):
        frames = [entry for entry in traceback.extract_tb(fault.__traceback__) if annotator.holds(entry.filename)]
        lines = ["%s:%d: in %s: %.200s" % (os.path.basename(entry.filename), entry.lineno, entry.name, entry.line)
                 for entry in frames[-_MOST_FRAMES:]]
        said = {"call": call, "accepted": False, "depth": depth, "error": _words_of(fault), "traceback": lines}
        if frames:
            said.update(file=frames[-1].filename, line=frames[-1].lineno, text=frames[-1].line[:_LONGEST_TEXT])
        else:  # it was not even entered, as with a wrong number of parameters
            said.update(self.place_of(function), traceback=["in %s" % getattr(function, "__name__", "a rule")])
        return json.dumps(said)


def _verdict(value):
    return value, bool(value)


def _words_of(fault):
    """What was raised, cut where it is long; its words are made by the file, too."""
    try:
        said = str(fault) if isinstance(fault, Stopped) else loader.words_of(fault)
    except BaseException:
        said = type(fault).__name__
    return said if len(said) <= _LONGEST_TEXT else said[:_LONGEST_TEXT] + "..."


def main():
    """Keeps the program's channel for itself: what a file prints goes to standard error."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8", buffering=1 << 20)
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1 << 20)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    sys.dont_write_bytecode = True
    names.install()
    fx.install()
    Host(requests, replies).run()
