#!/usr/bin/env python3
"""Gives each PTX text of a folder to NVIDIA's assembler, many entries at a time.

    .ci/assemble.py FOLDER [--arch 90 75 120] [--part 0.25] [--no-spills]

All are assembled for the first device, and of them a part (`--part`) for each other one. PTXAS names the assembler. Ends with an
error where a text is refused or warned of; with `--no-spills`, where registers of an entry do not suffice or it has a stack, too.
"""
import argparse
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys
import tempfile

TEXTS = 40


def merged(texts):
    """One text with all entries of several, under names of their own."""
    version = max(tuple(map(int, re.search(r"^\.version (\d+)\.(\d+)", text, re.M).groups())) for text in texts)
    target = max(int(re.search(r"^\.target sm_(\d+)", text, re.M)[1]) for text in texts)
    parts = ["\n.version %d.%d\n.target sm_%d\n.address_size 64\n" % (*version, target)]
    for number, text in enumerate(texts):
        text = re.sub(r"^\.(version|target|address_size) .*$", "", text, flags=re.M)
        text = re.sub(r"\.visible \.entry (\w+)", lambda m: f".visible .entry t{number}_{m[1]}", text)
        for table in re.findall(r"^\.(?:visible )?(?:global|const)[^\n]* (\w+)\[", text, re.M):
            text = re.sub(rf"(?<![\w%.]){table}\b", f"t{number}_{table}", text)
        parts.append(text)
    return "\n".join(parts)


def assemble(ptxas, arch, texts, flags=()):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "texts.ptx")
        with open(source, "w", encoding="utf-8") as f:
            f.write(merged(list(texts.values())))
        done = subprocess.run([ptxas, f"-arch=sm_{arch}", "-Werror", *flags, source, "-o", os.path.join(folder, "out.cubin")],
                              capture_output=True, text=True)
    if done.returncode == 0:
        return []
    if len(texts) == 1:
        return [f"{next(iter(texts))}, sm_{arch}: {done.stdout}{done.stderr}"]
    # Which one it is.
    return [error for path, text in texts.items() for error in assemble(ptxas, arch, {path: text}, flags)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--arch", nargs="+", default=["90", "75", "120"])
    parser.add_argument("--part", type=float, default=0.25)
    parser.add_argument("--no-spills", action="store_true")
    options = parser.parse_args()
    flags = ("-warn-spills", "-warn-lmem-usage") if options.no_spills else ()
    ptxas = os.environ.get("PTXAS", "ptxas")
    texts = {}
    for name in sorted(name for name in os.listdir(options.folder) if name.endswith(".ptx")):
        path = os.path.join(options.folder, name)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        # The driver for tests keeps texts that tests wrote by hand, too; what is emitted says whose it is.
        if text.startswith("// Kernel `"):
            texts[path] = text
    if not texts:
        sys.exit(f"No texts lie in {options.folder}.")
    jobs = []
    for number, arch in enumerate(options.arch):
        drawn = lambda text: int(hashlib.md5((arch + text).encode()).hexdigest()[:8], 16) < options.part * 2 ** 32
        chosen = [path for path, text in texts.items() if number == 0 or drawn(text)]
        print(f"sm_{arch}: {len(chosen)} of {len(texts)} texts", flush=True)
        jobs += [(arch, {path: texts[path] for path in chosen[k:k + TEXTS]}) for k in range(0, len(chosen), TEXTS)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = [error for found in pool.map(lambda job: assemble(ptxas, *job, flags), jobs) for error in found]
    if errors:
        sys.exit("\n".join(errors[:20]) + f"\n{len(errors)} texts were refused.")
    print("All of them assemble.")


if __name__ == "__main__":
    main()
