"""The command line: `mcplab lab | demo | check | sweep | build`.

Exit codes: 0 done; 1 what was asked for was done and the outcome is “no” (an exercise is
not correct, notebooks differ); 2 it could not be done, with one line that says why.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcplab import __version__
from mcplab.errors import McplabError

__all__ = ["main"]

COURSE_FOLDER = Path.home() / "mcplab-course"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; give its exit code back."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    run: Callable[[argparse.Namespace], int] = arguments.run
    try:
        return run(arguments)
    except McplabError as error:
        print(f"mcplab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("mcplab: interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mcplab",
        description="Learn how language models use tools, one step at a time. "
        "Everything runs without a key and without a network.",
        epilog="examples:\n  mcplab lab\n  mcplab demo\n  mcplab check 01",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mcplab {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_lab(commands)
    _add_demo(commands)
    _add_check(commands)
    _add_sweep(commands)
    _add_build(commands)
    return parser


if TYPE_CHECKING:
    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def _command(
    commands: _Commands, name: str, run: Callable[..., int], summary: str, examples: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def _add_lab(commands: _Commands) -> None:
    parser = _command(
        commands,
        "lab",
        _lab,
        "Open the course in JupyterLab. Your copy of the lessons lies in a folder of yours.",
        "  mcplab lab\n  mcplab lab --dir ./my-course --no-browser\n"
        "  mcplab lab -- --ServerApp.port=9000",
    )
    parser.add_argument(
        "--dir",
        type=Path,
        default=COURSE_FOLDER,
        help="the folder of your copy (default: %(default)s); files you changed are kept",
    )
    parser.add_argument("--solutions", action="store_true", help="copy the solutions as well")
    parser.add_argument("--no-browser", action="store_true", help="only start the server")
    parser.add_argument("--port", type=int, help="the port on 127.0.0.1 (default: a free one)")
    parser.add_argument(
        "jupyter", nargs="*", metavar="-- JUPYTER OPTIONS", help="passed on to JupyterLab"
    )


def _lab(arguments: argparse.Namespace) -> int:
    from mcplab import course
    from mcplab.course.catalog import CATALOG
    from mcplab.course.folder import prepare

    print(prepare(arguments.dir, solutions=arguments.solutions))
    first = next(iter(CATALOG))
    command = [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={arguments.dir.resolve()}",
        "--ServerApp.ip=127.0.0.1",
        f"--LabApp.default_url=/lab/tree/notebooks/{first.source.stem}.ipynb",
        "--LabApp.extension_manager=readonly",  # the other kind asks a package index
        *arguments.jupyter,
    ]
    if arguments.port:
        command.append(f"--ServerApp.port={arguments.port}")
    if arguments.no_browser:
        command.append("--ServerApp.open_browser=False")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--ServerApp.allow_root=True")
    # The course must not need the network: no news, and no question whether to fetch them.
    offline = Path(course.__file__).parent / "jupyter"
    paths = [str(offline), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    sys.stdout.flush()
    os.execv(sys.executable, command)  # noqa: S606 (the server takes over this process)


def _add_demo(commands: _Commands) -> None:
    parser = _command(
        commands,
        "demo",
        _demo,
        "Go through a tool loop step by step, in the terminal.",
        "  mcplab demo\n  mcplab demo --case expenses --dialect openai\n  mcplab demo --auto",
    )
    parser.add_argument("--case", choices=sorted(_CASES), default="calculator")
    parser.add_argument("--dialect", choices=["anthropic", "openai"], default="anthropic")
    parser.add_argument("--question", help="ask something else")
    parser.add_argument("--auto", action="store_true", help="do not wait for a key at each step")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the trace as JSON lines")


_CASES = {
    "calculator": "What is 12 times 30?",
    "expenses": (
        "My hotel expense E-1042 was rejected. I am at job level L3. Look up the expense and "
        "the hotel policy, compute the excess, and file a supplement request."
    ),
}


def _demo(arguments: argparse.Namespace) -> int:
    from mcplab import anthropic_client, connect, openai_client
    from mcplab.stepper import Stepper, step_in_terminal

    client = anthropic_client() if arguments.dialect == "anthropic" else openai_client()
    with connect(arguments.case) as tools:
        question = arguments.question or _CASES[arguments.case]
        stepper = Stepper(question, client=client, tools=tools)
        try:
            step_in_terminal(stepper, auto=arguments.auto)
        finally:
            if arguments.save:
                print(f"Trace saved as {stepper.trace.save(arguments.save)}")
    return 0


def _add_check(commands: _Commands) -> None:
    parser = _command(
        commands,
        "check",
        _check,
        "Check an exercise in a notebook file (practice: hidden cases run at grading).",
        "  mcplab check 01\n  mcplab check 02 my_copy.ipynb",
    )
    parser.add_argument("exercise", help="its number, such as 01")
    parser.add_argument(
        "file", nargs="?", type=Path, help="the notebook (default: the one in your course folder)"
    )
    parser.add_argument("--dir", type=Path, default=COURSE_FOLDER, help="your course folder")


def _check(arguments: argparse.Namespace) -> int:
    from mcplab.grading.files import check_file

    file = arguments.file or _exercise_file(arguments.dir, arguments.exercise)
    outcome = check_file(file, arguments.exercise)
    print(outcome)
    return 0 if outcome.correct else 1


def _exercise_file(folder: Path, exercise: str) -> Path:
    found = sorted((folder / "exercises").glob(f"*{exercise}*.ipynb"))
    if not found:
        raise McplabError(
            f"There is no notebook for exercise {exercise} in {folder / 'exercises'}. "
            "Run `mcplab lab` first, or name the file: mcplab check 01 FILE."
        )
    return found[0]


def _add_build(commands: _Commands) -> None:
    parser = _command(
        commands,
        "build",
        _build,
        "For authors: write notebooks/, exercises/ and solutions/ from the lesson sources.",
        "  mcplab build\n  mcplab build --check",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    parser.add_argument("--root", type=Path, default=Path(), help="the checkout (default: here)")


def _build(arguments: argparse.Namespace) -> int:
    from mcplab.course.build import build, report

    differing = build(arguments.root, check=arguments.check)
    if arguments.check:
        print(report(differing))
        return 1 if differing else 0
    print("\n".join(differing) or "All notebooks were up to date.")
    return 0


def _add_sweep(commands: _Commands) -> None:
    parser = _command(
        commands,
        "sweep",
        _sweep,
        "Measure accuracy against the number of tools, with the offline reading model.",
        "  mcplab sweep\n  mcplab sweep --tools 1,5,20 --distractors similar\n"
        "  mcplab sweep --out report",
    )
    parser.add_argument(
        "--tools",
        type=_numbers,
        default=(1, 2, 5, 10, 20, 48),
        metavar="N,N,…",
        help="how many tools to show (default: 1,2,5,10,20,48)",
    )
    parser.add_argument("--distractors", choices=["random", "similar"], default="random")
    parser.add_argument("--trials", type=int, default=1, help="draws for each question")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="also write trials.csv, curve.png and curve.svg"
    )


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list such as 1,5,20") from None


def _sweep(arguments: argparse.Namespace) -> int:
    from mcplab.sweep import summarise, sweep

    frame = sweep(
        tools=arguments.tools,
        distractors=arguments.distractors,
        trials=arguments.trials,
        seed=arguments.seed,
        progress=sys.stderr.isatty(),
    )
    print(summarise(frame).to_string(index=False, float_format="{:.3f}".format))
    print("\nComputed by a text matcher, not a language model.")
    if arguments.out:
        _write_report(frame, arguments.out)
    if not frame.attrs["complete"]:
        print("mcplab: interrupted; these are the trials so far", file=sys.stderr)
        return 130
    return 0


def _write_report(frame: Any, folder: Path) -> None:
    import matplotlib

    from mcplab.sweep import plot

    matplotlib.use("agg")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        frame.to_csv(folder / "trials.csv", index=False)
        figure = plot(frame)
        for name in ("curve.png", "curve.svg"):
            figure.savefig(folder / name, dpi=150)
    except OSError as error:
        raise McplabError(f"The report could not be written to {folder}: {error}.") from None
    print(f"Wrote trials.csv, curve.png and curve.svg to {folder}.")
