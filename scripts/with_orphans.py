#!/usr/bin/env python3
"""Runs a command for bash so that the processor time of all that it started counts as its own.

    scripts/with_orphans.py COMMAND

A browser leaves processes behind that nobody waits for; their time would be lost. They are adopted here (Linux) and
waited for: at most 10 seconds after the command itself has ended, with whose status this ends.
"""
import ctypes
import os
import subprocess
import sys
import time

ADOPT = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h
PATIENCE = 10  # seconds


def main():
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    command = subprocess.Popen(["bash", "-c", sys.argv[1]], stdin=subprocess.DEVNULL)
    status, end = None, None
    while end is None or time.monotonic() < end:
        try:
            pid, code = os.waitpid(-1, 0 if status is None else os.WNOHANG)
        except ChildProcessError:
            break
        if pid == command.pid:
            command.returncode = status = os.waitstatus_to_exitcode(code)
            end = time.monotonic() + PATIENCE
        elif pid == 0:
            time.sleep(0.05)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
