"""Does `kgstore serve` keep its word with many clients: no error, no other report than alone, flat memory?

Run:    python -m tests.bench.bench_serve KG --clients 50 --seconds 60 --workers 2
Prints: one JSON line: requests, errors, reports that differ from sequential ones, seconds of an answer (median, p95),
        memory after a quarter of the time and at the end, and the median seconds until the first verdict of a paragraph
        and of a text of 5,000 words, of an otherwise idle server that is warm and has not seen them.

Texts are those of ``--texts``, JSON lines with ``text`` (the shipped labelled claims unless told).
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNS = 5


def asked(port: int, path: str, text: str) -> tuple[int, bytes]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=150)
    try:
        link.request("POST", path, json.dumps({"text": text}), {"Content-Type": "application/json"})
        answer = link.getresponse()
        return answer.status, answer.read()
    finally:
        link.close()


def bare(report: bytes) -> dict[str, object]:
    return {key: value for key, value in json.loads(report).items() if key != "timings_ms"}


def memory(port: int) -> int:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=150)
    link.request("GET", "/metrics")
    text = link.getresponse().read().decode()
    link.close()
    return int(re.findall(r"^process_resident_memory_bytes (\d+)", text, re.MULTILINE)[0])


def first_verdict(port: int, text: str) -> float:
    """Seconds until the first event of a stream with a verdict in it; the rest is not waited for."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=150)
    started = time.perf_counter()
    link.request("POST", "/verify/stream", json.dumps({"text": text}), {"Content-Type": "application/json"})
    answer = link.getresponse()
    while b'"label"' not in answer.readline():
        pass
    took = time.perf_counter() - started
    link.close()
    return took


def load(port: int, texts: Sequence[str], clients: int, seconds: float) -> dict[str, object]:
    """Many clients at a time, each with one request after the other."""
    alone = [bare(asked(port, "/verify", text)[1]) for text in texts]
    end, taken, errors, wrong = time.monotonic() + seconds, [], [], []

    def client(number: int) -> None:
        at = number
        while time.monotonic() < end:
            text = at % len(texts)
            started = time.perf_counter()
            try:
                status, body = asked(port, "/verify", texts[text])
            except OSError as error:
                errors.append(repr(error))
                continue
            taken.append(time.perf_counter() - started)
            if status != 200:
                errors.append(str(status))
            elif bare(body) != alone[text]:
                wrong.append(text)
            at += clients

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for one in threads:
        one.start()
    time.sleep(seconds / 4)
    early = memory(port)
    for one in threads:
        one.join()
    taken.sort()
    return {
        "requests": len(taken),
        "errors": len(errors),
        "wrong": len(wrong),
        "median_s": round(statistics.median(taken), 2),
        "p95_s": round(taken[int(0.95 * (len(taken) - 1))], 2),
        "memory_mb": [round(early / 1e6), round(memory(port) / 1e6)],
    }


def first_verdicts(port: int, texts: Sequence[str]) -> dict[str, float]:
    """Each run has another text, which the server has not seen; the first run is warming."""
    taken: dict[str, list[float]] = {"paragraph": [], "5000_words": []}
    for run in range(RUNS + 1):
        turned = [*texts[5 * run :], *texts[: 5 * run]]
        long = "\n\n".join(" ".join(turned[at : at + 5]) for at in range(0, len(turned), 5))
        words = f"{long}\n\n".split(" ") * (1 + 5000 // len(long.split(" ")))
        for name, text in (("paragraph", " ".join(turned[:5])), ("5000_words", " ".join(words[:5000]))):
            taken[name].append(first_verdict(port, f"{text} "))
            idle(port)
            turned.append(turned.pop(0))
    return {f"first_verdict_{name}_s": round(statistics.median(took[1:]), 3) for name, took in taken.items()}


def idle(port: int) -> None:
    while True:
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=150)
        link.request("GET", "/health")
        running = json.loads(link.getresponse().read())["running"]
        link.close()
        if not running:
            return
        time.sleep(0.2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kg", type=Path)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--texts", type=Path, default=ROOT / "data" / "labelled.jsonl")
    given = parser.parse_args()
    texts = [json.loads(line)["text"] for line in given.texts.read_text(encoding="utf-8").splitlines()][:50]
    command = [sys.executable, "-m", "kgstore", "serve", "--kg", str(given.kg), "--port", "0"]
    command += ["--workers", str(given.workers)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        port = next(int(found[1]) for line in server.stderr if (found := re.search(r"ready: .*:(\d+)/", line)))
        threading.Thread(target=server.stderr.read, daemon=True).start()
        found: dict[str, object] = {"clients": given.clients, "seconds": given.seconds, "workers": given.workers}
        found |= first_verdicts(port, texts)
        found |= load(port, texts, given.clients, given.seconds)
        print(json.dumps(found))
    finally:
        server.terminate()
        server.wait(150)


if __name__ == "__main__":
    main()
