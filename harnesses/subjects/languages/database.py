# SPDX-License-Identifier: MIT
"""PostgreSQL and MariaDB as subjects: database.py postgresql|mariadb. A server of its own, in a scratch folder, with a Unix socket there and
no other, as an ordinary user. It does not outlive this process, however that ends, and a second process removes the folder then.

PostgreSQL: convert_from(bytea, 'UTF8') and convert(bytea, 'UTF8', 'UTF8'), which stop at an error. MariaDB: CONVERT(... USING utf8mb4), which replaces, and the strict mode's
verdict on what is put into a column of utf8mb4."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Callable, List, Optional

SECONDS, USER = 90, "nobody"
POSTGRESQL = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1:]
CODE_POINTS = """create function given(b bytea) returns text language plpgsql as $$
begin return 'ok ' || coalesce((select string_agg(upper(to_hex(ascii(c))), ',' order by n)
  from unnest(string_to_array(convert_from(b, 'UTF8'), null)) with ordinality as t(c, n)), '-');
exception when others then return 'error'; end $$;"""
ENCODED = """create function encoded(points bigint[]) returns text language plpgsql as $$
declare given text := ''; point bigint; begin foreach point in array points loop given := given || chr(point::int); end loop;
return 'ok ' || encode(convert_to(given, 'UTF8'), 'hex'); exception when others then return 'error'; end $$;"""
WELL_FORMED = """create function well_formed(b bytea) returns text language plpgsql as $$
begin return 'ok ' || encode(convert(b, 'UTF8', 'UTF8'), 'hex'); exception when others then return 'error'; end $$;"""
VERDICT = """create database d; use d; set sql_mode = 'STRICT_ALL_TABLES'; create table t (c longtext character set utf8mb4);
delimiter //
create procedure verdict(b longblob) begin declare exit handler for sqlexception select 'error'; insert into t values (b); delete from t; select 'ok'; end //
delimiter ;"""


def as_user(name: str, command: List[str]) -> List[str]:
    """The command, which ends with this process; not as root."""
    identity = ["--reuid", name, "--regid", str(pwd.getpwnam(name).pw_gid), "--clear-groups"] if os.getuid() == 0 else []
    return ["setpriv", "--pdeathsig", "KILL", *identity, "--", *command]


class Database:
    """A server and a client that talks to it."""

    def __init__(self, install: Callable[[str], List[str]], serve: Callable[[str], List[str]], connect: Callable[[str], List[str]]) -> None:
        self.folder = tempfile.mkdtemp(prefix="assay-db-")
        self.remover = subprocess.Popen(["sh", "-c", 'read -r word; sleep 0.5; rm -rf "$0"; sleep 1; rm -rf "$0"', self.folder], stdin=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, start_new_session=True, env={"PATH": os.defpath})  # no mark by which it would be stopped
        if os.getuid() == 0:
            shutil.chown(self.folder, USER)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL, "cwd": "/"}
        subprocess.run(as_user(USER, install(self.folder)), check=True, timeout=SECONDS, **quiet)  # type: ignore[call-overload]
        self.server = subprocess.Popen(as_user(USER, serve(self.folder)), **quiet)  # type: ignore[call-overload]
        self.command = as_user(USER, connect(self.folder))
        until = time.monotonic() + SECONDS
        while subprocess.run(self.command, input=b"select 1;\n", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
            if time.monotonic() > until or self.server.poll() is not None:
                raise SystemExit("the server does not start")
            time.sleep(0.2)
        self.client = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd="/")

    def tell(self, statements: str) -> None:
        """Statements without a result."""
        assert self.client.stdin is not None
        self.client.stdin.write(statements + "\n")

    def ask(self, query: str) -> str:
        """A query whose result is one line."""
        assert self.client.stdout is not None
        self.tell(query)
        return self.client.stdout.readline().strip()

    def end(self) -> None:
        """Stops both; the folder goes with this process."""
        self.client.kill()
        self.server.kill()
        self.server.wait()


def postgresql() -> Database:
    """A cluster whose encoding is UTF8."""
    programs = POSTGRESQL[0]
    database = Database(lambda at: [f"{programs}/initdb", "-D", f"{at}/data", "-E", "UTF8", "--locale", "C", "-U", "assay", "-A", "trust", "--no-sync"],
                        lambda at: [f"{programs}/postgres", "-D", f"{at}/data", "-k", at, "-c", "listen_addresses=", "-c", "fsync=off"],
                        lambda at: [f"{programs}/psql", "-h", at, "-U", "assay", "-d", "postgres", "-X", "-q", "-A", "-t"])
    database.tell(CODE_POINTS)
    database.tell(ENCODED)
    database.tell(WELL_FORMED)
    return database


def mariadb() -> Database:
    """A server without networking."""
    database = Database(lambda at: ["mariadb-install-db", "--no-defaults", f"--datadir={at}/data", "--auth-root-authentication-method=normal", "--skip-test-db"],
                        lambda at: ["/usr/sbin/mariadbd", "--no-defaults", f"--datadir={at}/data", f"--socket={at}/socket", "--skip-networking", f"--pid-file={at}/pid",
                                    f"--tmpdir={at}", "--innodb-flush-log-at-trx-commit=0"],
                        lambda at: ["mariadb", "--no-defaults", f"--socket={at}/socket", "-u", "root", "-N", "-B", "--unbuffered", "--default-character-set=utf8mb4"])
    database.tell(VERDICT)
    return database


def answer_of_postgresql(database: Database, operation: str, policy: str, data: bytes) -> str:
    """The reply without its ID. A text of PostgreSQL has no U+0000."""
    if policy != "strict" or 0 in data:
        return "skip not offered"
    if operation == "to-well-formed":
        reply = database.ask(f"select well_formed('\\x{data.hex()}');")
        return "ok -" if reply == "ok" else reply
    reply = database.ask(f"select given('\\x{data.hex()}');")
    return reply.split()[0] if operation == "validate" else reply


def answer_of_mariadb(database: Database, operation: str, policy: str, data: bytes) -> str:
    """The reply without its ID."""
    if operation == "validate":
        return database.ask(f"call verdict(x'{data.hex()}');")
    if policy != "own":
        return "skip not offered"
    if operation == "to-well-formed":
        reply = database.ask(f"select hex(convert(x'{data.hex()}' using utf8mb4));")
        return f"ok {reply or '-'}" if reply != "NULL" else "error"
    points = database.ask(f"select hex(convert(convert(x'{data.hex()}' using utf8mb4) using utf32));")
    return "ok " + (",".join(f"{int(points[at:at + 8], 16):X}" for at in range(0, len(points), 8)) or "-") if points != "NULL" else "error"


def encoded(database: Database, is_postgresql: bool, operation: str, units: List[int]) -> str:
    """The bytes of code points by PostgreSQL's chr(); MariaDB's of UTF-32 or UTF-16."""
    if is_postgresql:
        if 0 in units or operation != "encode":
            return "skip not offered"
        reply = database.ask(f"select encoded(array[{','.join(map(str, units))}]::bigint[]);")
        return "ok -" if reply == "ok" else reply
    charset, size = ("utf32", 4) if operation == "encode" else ("utf16", 2)
    data = b"".join(unit.to_bytes(size, "big") for unit in units)
    reply = database.ask(f"select hex(convert(convert(x'{data.hex()}' using {charset}) using utf8mb4));")
    return "error" if reply == "NULL" else f"ok {reply or '-'}"


def main() -> None:
    """Speaks the protocol."""
    name = sys.argv[1]
    database: Optional[Database] = None
    policies, operations = ("strict", "encode,to-well-formed") if name == "postgresql" else ("own,strict", "encode,encode-utf16,to-well-formed")
    try:
        for line in sys.stdin:
            number, *words = line.split()
            if number == "hello":
                database = database or (postgresql() if name == "postgresql" else mariadb())
                print(f"hello assay/1 {name} encodings=utf-8 policies={policies} ops=validate,decode,{operations} chunks=no", flush=True)
                continue
            if words[0] in ("encode", "encode-utf16") and words[1:3] == ["utf-8", "strict"]:
                assert database is not None
                print(number, encoded(database, name == "postgresql", words[0], [int(unit, 16) for unit in words[3].replace("-", "").split(",") if unit]), flush=True)
                continue
            is_offered = words[0] in ("validate", "decode", "to-well-formed") and words[1] == "utf-8" and "," not in words[-1]
            data = bytes.fromhex(words[-1].replace("-", "")) if is_offered else b""
            answer = answer_of_postgresql if name == "postgresql" else answer_of_mariadb
            assert database is not None
            reply = answer(database, words[0], "strict" if words[0] == "validate" else words[2], data) if is_offered else "skip not offered"
            print(number, reply, flush=True)
    finally:
        if database is not None:
            database.end()


main()
