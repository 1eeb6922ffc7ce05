"""Work in a child process that is killed: what a power cut leaves of it."""

import os
import signal
import time
from collections.abc import Callable


def forked(work: Callable[[], object], seconds: float | None = None) -> int:
    """Run work in a child, kill it after so many seconds, and return its exit code."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
