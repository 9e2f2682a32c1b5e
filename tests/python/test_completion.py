"""Completion of commands, options and values in shells, and what the environment changes: as --help has them."""
import os
import pty
import re
import select
import shlex
import shutil
import subprocess

import pytest

SOURCE = os.environ["PARTITA_SOURCE_DIR"]
CLI = os.environ["PARTITA_CLI"]


def output(*arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, check=True, **options).stdout


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    for name in ("a model.relay", "dnnl.json"):
        (folder / name).write_text("")
    for shell in ("bash", "zsh", "fish"):
        (folder / shell).write_text(output(CLI, "--completion", shell))
    return folder


def in_bash(folder, line):
    """Returns what Tab offers at the end of a line, which bash splits at = too."""
    words = [part for word in line.split(" ") for part in re.split("(=)", word) if part or word == "" or word[-1] == "="]
    script = "source ./bash; COMP_WORDS=(partita-cli %s); COMP_CWORD=%d; _partita_cli; printf '%%s\n' \"${COMPREPLY[@]}\""
    script %= (" ".join(map(shlex.quote, words)), len(words))
    return [line for line in output("bash", "-c", script, cwd=folder).split("\n") if line]


def in_fish(folder, line):
    offered = output("fish", "-c", "source ./fish; complete -C %s" % shlex.quote("partita-cli " + line), cwd=folder,
                     env={**os.environ, "HOME": str(folder)})
    return [each.split("\t")[0] for each in offered.split("\n") if each]


@pytest.fixture(params=[("bash", in_bash), ("fish", in_fish)], ids=["bash", "fish"])
def completed(request, scripts):
    shell, complete = request.param
    if not shutil.which(shell):
        pytest.skip(shell + " is not installed")
    return lambda line: sorted(each[each.rfind("=") + 1:] if shell == "fish" and "=" in line and not each.endswith("=")
                               else each for each in complete(scripts, line))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_accept_their_scripts(shell, scripts):
    if not shutil.which(shell):
        pytest.skip(shell + " is not installed")
    done = subprocess.run([shell, "-n", scripts / shell], capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"})
    assert done.returncode == 0 and not done.stderr, done.stderr


def help_of(*command):
    return output(CLI, *command, "--help")


def commands(*command):
    return sorted(re.findall(r"^  ([a-z-]+)  ", help_of(*command).partition("\nSubcommands:")[2], re.M))


def test_commands_are_those_of_the_help(completed):
    assert completed("") == commands()
    assert completed("rules ") == commands("rules")
    assert completed("compare") == ["compare-runs"]
    assert completed("rules ch") == ["check"]


@pytest.mark.parametrize("command", commands() + ["rules diff", "lessons check"])
def test_options_are_those_of_the_help(command, completed):
    shown = re.findall(r"^ +(-[^ ]+)", help_of(*command.split()), re.M)
    wanted = {name for names in shown for name in names.split(",") if name.startswith("--")}
    assert set(completed(command + " --")) == wanted


@pytest.mark.parametrize("line, offered", [
    ("run x --backends dnn", ["dnnl", "dnnl.json", "dnnl_all"]),
    ("run x --backends dnnl,cc", ["dnnl,ccompiler", "dnnl,ccompiler_wide"]),
    ("run x --backends=cc", ["ccompiler", "ccompiler_wide"]),
    ("divide x --partitioner to", ["torch-fx", "torch-tensorrt"]),
    ("divide x --option uni", ["units=no", "units=yes"]),
    ("divide x --option min-n", ["min-nodes="]),
    ("export x --form pd", ["pdf"]),
    ("rules export dnnl --form ", ["tvm-relax", "tvm-relay"]),
    ("export x --language ", ["de", "en", "zh"]),
    ("lessons show 1-", ["1-regions"]),
    ("pass fold", ["fold-constants"]),
    ("info a", ["a model.relay"]),
    ("run x --trace a", ["a model.relay"]),
    ("explain x --trace dn", ["dnnl.json"]),
    ("run x --threads ", []),
    ("--completion ", ["bash", "fish", "zsh"]),
])
def test_values_are_offered(line, offered, completed):
    assert completed(line) == offered


def typed_until(terminal, keys, wanted):
    os.write(terminal, keys.encode())
    seen = ""
    while wanted not in seen and select.select([terminal], [], [], 30)[0]:
        seen += os.read(terminal, 65536).decode(errors="replace")
    return seen


def test_tab_puts_no_backslash_into_values(scripts):
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(scripts)
        os.execvpe("bash", ["bash", "--norc", "-i"], {**os.environ, "TERM": "dumb", "PS1": "", "HISTFILE": ""})
    try:
        assert "ready" in typed_until(terminal, "source ./bash; echo rea''dy\n", "ready")
        for line, wanted in (("divide x --option min-n", "min-nodes="), ("info a", "a\\ model.relay ")):
            assert wanted in typed_until(terminal, "partita-cli " + line + "\t", wanted), line
            os.write(terminal, b"\x15")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def test_what_the_environment_changes_stands_in_help_and_manual():
    read = set()
    for folder in ("engine", os.path.join("app", "cli")):
        for place, _, names in os.walk(os.path.join(SOURCE, folder)):
            for name in names:
                with open(os.path.join(place, name), errors="replace") as file:
                    read.update(re.findall(r'(?:getenv|environment)\("([A-Z_]+)"', file.read()))
    assert len(read) > 6
    for name in read - {"HOME"}:
        for text in (help_of(), output(CLI, "--manual").replace("\\", "")):
            assert len(re.findall(r"(?:^  |fB)%s(?: |fR)" % name, text, re.M)) == 1, name
