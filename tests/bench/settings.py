"""What the benchmark is told: see run."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD", "build")).resolve()
STATE = BUILD / "bench"
SIZES = [int(size) for size in os.environ.get("SIZE", "10000").split()]
SECONDS = int(os.environ.get("SECONDS_EACH", "2"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
CONNECTIONS = int(os.environ.get("CONNECTIONS", "32"))
OPEN_SECONDS = float(os.environ.get("OPEN_SECONDS", "2"))
PARTS = os.environ.get("PARTS", "table tls storm growth writes uploads memory search").split()
SERVERS = os.environ.get("SERVERS", "").split()
UNLIMITED = '"900000000/1h"'
ENVIRONMENT = dict(os.environ, STATE=str(STATE), BUILD=str(BUILD), PORT="auto", DEMO="off", FLOOD="off", WORKERS="4",
                   SETTINGS=f"rate_limits.public = {UNLIMITED}\nrate_limits.auth = {UNLIMITED}\nrate_limits.write = {UNLIMITED}\n"
                            'rate_limits.auth_address = "0"\n'
                            'log.level = "warning"')
