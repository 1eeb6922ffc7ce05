"""Ask an engine with a progress line, and open the judge of a run, which may be the model that is asked itself."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from eval.models.asker import Answers, Asker
from eval.models.engine import Engine, EngineOptions, Request, open_engine
from eval.models.ledger import Ledger
from eval.models.store import RequestStore
from eval.progress import counting
from eval.tasks.judging import EXACT


def ask_all(label: str, engine: Engine, requests: Sequence[Request], store: RequestStore, ledger: Ledger) -> Answers:
    """Ask what is not stored; raises what `Asker.ask` does."""
    with counting(label, ledger.note) as progress:
        return Asker(engine, store, ledger, progress).ask(requests)


@contextmanager
def open_judge(name: str, engine_name: str, engine: Engine, options: EngineOptions) -> Iterator[Engine | None]:
    """Open the engine that judges: none for `exact`, the one that is asked where both have one name."""
    if name == EXACT:
        yield None
    elif name == engine_name:
        yield engine
    else:
        with open_engine(name, options) as judge:
            yield judge
