"""What the benchmark is told: see run."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD", "build")).resolve()
STATE = BUILD / "bench"
SIZE = int(os.environ.get("SIZE", "10000"))
SECONDS = int(os.environ.get("SECONDS_EACH", "4"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
CONNECTIONS = int(os.environ.get("CONNECTIONS", "32"))
UNLIMITED = '"900000000/1h"'
ENVIRONMENT = dict(os.environ, STATE=str(STATE), BUILD=str(BUILD), PORT="auto", DEMO="off", FLOOD="off",
                   SETTINGS=f"rate_limits.public = {UNLIMITED}\nrate_limits.auth = {UNLIMITED}\nrate_limits.write = {UNLIMITED}\n"
                            'log.level = "warning"')
