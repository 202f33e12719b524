#!/usr/bin/env python3
"""Our PTX beside that of NVRTC (as nvcc makes it) and of Warp, for the kernels of tests/yardstick: no GPU is needed.

    python3 -m venv peers
    peers/bin/pip install -r benches/requirements.txt
    peers/bin/pip install --no-deps -r benches/requirements-ptx.txt
    peers/bin/python benches/ptx_yardstick.py [--arch 90] [--keep FOLDER]

All texts go through the same ptxas (registers, spills, instructions of the machine) and run in tests/ptx-run with the same
numbers (executed instructions of the text, for a thread). Ours are the best entries of warp-ir/tests/ptx/kernels, which
tests hold to the source of tests/yardstick. Machine instructions of ours are counted without what runs only after a check
has failed; those of Warp's forward loop, which is unrolled by two, are nearly twice those that a thread needs. What the
kernels write is compared: a kernel that computes something else ends the program.
"""
import argparse
import array
import ctypes
import glob
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
KEPT = os.path.join(ROOT, "warp-ir", "tests", "ptx", "kernels")
SIDE = 16
THREADS = SIDE * SIDE

# Arrays as (name, scalars of an element), then the rest of the parameters, as each party has them in its order.
VECTORS, NUMBERS, INDICES = 3, 1, 0
KERNELS = {
    "saxpy": dict(arrays=dict(x=NUMBERS, y=NUMBERS), scalars=dict(a=2.5), writes="y",
                  cuda="x y a n", warp="x y a"),
    "gravity": dict(arrays=dict(x=VECTORS, v=VECTORS, x1=VECTORS, v1=VECTORS, e=NUMBERS), writes="x1 v1 e",
                    scalars={"g": (0.0, -9.81, 0.5), "dt": 0.25, "rest": 0.5},
                    cuda="x v x1 v1 e g dt rest n", warp="x v x1 v1 e g dt rest"),
    "nbody": dict(arrays=dict(x=VECTORS, v=VECTORS, m=NUMBERS, x1=VECTORS, v1=VECTORS), writes="x1 v1",
                  scalars=dict(dt=0.01, eps2=0.1), cuda="x v m x1 v1 dt eps2 n", warp="x v m x1 v1 dt eps2 n"),
    "spring": dict(arrays=dict(x=VECTORS, v=VECTORS, ia=INDICES, ib=INDICES, rest=NUMBERS, f=VECTORS), writes="f",
                   scalars=dict(ke=3.0, kd=0.5), cuda="x v ia ib rest ke kd f n", warp="x v ia ib rest ke kd f"),
    "heat": dict(arrays=dict(u=NUMBERS, o=NUMBERS), scalars=dict(al=0.1), writes="o", rank=2,
                 cuda="u o n al", warp="u o n al"),
}


def tool(name):
    """A program of NVIDIA's wheels, or of the path."""
    places = [os.path.join(p, "nvidia", "cu13", "bin", name) for p in sys.path] + [os.environ.get(name.upper(), "")]
    found = [p for p in places if os.path.isfile(p)]
    return found[0] if found else name


# --- the texts

def ours(folder):
    for kernel in KERNELS:
        for way, suffix in [("forward", ""), ("backward", "_adjoint")]:
            name = f"{kernel}{suffix}"
            yield kernel, way, os.path.join(KEPT, f"{name}.ptx"), f"{name}_narrow"


def nvrtc(folder, arch):
    libraries = [p for root in sys.path for p in glob.glob(os.path.join(root, "nvidia", "cu13", "lib", "libnvrtc.so.*"))]
    lib, program, size = ctypes.CDLL(sorted(libraries)[-1]), ctypes.c_void_p(), ctypes.c_size_t()
    with open(os.path.join(HERE, "ptx_yardstick.cu"), encoding="utf-8") as f:
        lib.nvrtcCreateProgram(ctypes.byref(program), f.read().encode(), b"yardstick.cu", 0, None, None)
    options = (ctypes.c_char_p * 1)(b"--gpu-architecture=compute_%d" % arch)
    failed = lib.nvrtcCompileProgram(program, 1, options)
    lib.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetProgramLog(program, log)
    if failed:
        sys.exit("NVRTC: " + log.value.decode())
    lib.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    lib.nvrtcGetPTX(program, text)
    path = os.path.join(folder, "cuda.ptx")
    with open(path, "wb") as f:
        f.write(text.value)
    for kernel in KERNELS:
        yield kernel, "forward", path, kernel


def warp(folder, arch):
    # A process of its own, as Warp reads the kernels' source.
    code = ("import sys, os; sys.path.insert(0, sys.argv[1]); import warp as wp; wp.config.quiet = True; "
            "import ptx_yardstick_warp as module; "
            "print(wp.compile_aot_module(module, arch=[int(sys.argv[2])], module_dir=sys.argv[3], use_ptx=True, strip_hash=True)[0])")
    done = subprocess.run([sys.executable, "-c", code, HERE, str(arch), folder], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    with open(done.stdout.split("\n")[-2], "rb") as f:
        text = f.read().rstrip(b"\0")
    path = os.path.join(folder, "warp.ptx")
    with open(path, "wb") as f:
        f.write(text)
    for kernel in KERNELS:
        for way in ["forward", "backward"]:
            yield kernel, way, path, f"{kernel}_cuda_kernel_{way}"


# --- what the assembler makes of them

def without_faults(text):
    """What runs only after a check has failed is left out; a check leaves the kernel there."""
    return re.sub(r"(?s)(\n    ret;\n).*?^}", r"\1}", re.sub(r"bra failed_\d+;", "bra done;", text), flags=re.M)


def assembled(path, arch, cut):
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = os.path.join(folder, "in.ptx"), os.path.join(folder, "out.cubin")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        with open(source, "w", encoding="utf-8") as f:
            f.write(without_faults(text) if cut else text)
        done = subprocess.run([tool("ptxas"), "-v", f"-arch=sm_{arch}", source, "-o", cubin], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        code = subprocess.run([tool("nvdisasm"), "-c", cubin], capture_output=True, text=True, check=True).stdout
    facts = {}
    for name, part in re.findall(r"entry function '([^']+)'(.*?)(?=Compiling entry|\Z)", done.stdout + done.stderr, re.S):
        stack, stored, loaded = map(int, re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+)", part).groups())
        facts[name] = dict(registers=int(re.search(r"Used (\d+) reg", part)[1]), spills=stored + loaded, stack=stack)
    for name, body in re.findall(r"^\.text\.(\S+):\n(.*?)(?=^//-----|\Z)", code, re.S | re.M):
        ops = [re.sub(r"^@!?U?P\w+\s+", "", op) for op in re.findall(r"/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", body)]
        while ops and ops[-1].startswith("NOP"):
            ops.pop()
        # Behind the last instruction lies a branch to itself.
        if ops and ops[-1].startswith("BRA"):
            ops.pop()
        memory = sum(op.split(".")[0].split()[0] in ("LDG", "LD", "STG", "ST", "ATOM", "ATOMG", "RED", "REDG") for op in ops)
        facts[name].update(machine=len(ops), memory=memory)
    return facts


# --- what they execute

class Numbers:
    """The same numbers for everybody."""

    def __init__(self, kernel):
        self.kernel, chance = KERNELS[kernel], random.Random(7)
        self.values = {}
        for name, width in self.kernel["arrays"].items():
            draw = (lambda: chance.randrange(THREADS)) if width == INDICES else (lambda: 0.5 + chance.randrange(1000) / 1000)
            self.values[name] = [draw() for _ in range(THREADS * max(width, 1))]

    def hex(self, name):
        code = "I" if self.kernel["arrays"][name] == INDICES else "f"
        return array.array(code, self.values[name]).tobytes().hex()

    def ones(self, name):
        return array.array("f", [1.0] * len(self.values[name])).tobytes().hex()

    def scalar(self, name):
        if name == "n":
            return struct.pack("<i", SIDE if self.kernel.get("rank") == 2 else THREADS)
        value = self.kernel["scalars"][name]
        return struct.pack("<3f", *value) if isinstance(value, tuple) else struct.pack("<f", value)


class Params:
    """Parameters one after the other, each where its alignment allows."""

    def __init__(self):
        self.parts, self.size = [], 0

    def add(self, part, size, align):
        gap = -self.size % align
        self.parts += ["00" * gap] if gap else []
        self.parts.append(part)
        self.size += gap + size


def word(value):
    return struct.pack("<Q", value).hex()


def our_words(numbers, kernel, way):
    """The words of a launch: as `warp_ir::emit::ptx::abi` says."""
    rank = numbers.kernel.get("rank", 1)
    dims = [SIDE, SIDE] if rank == 2 else [THREADS]
    with open(os.path.join(KEPT, f"{kernel}.{'ir' if way == 'forward' else 'adjoint'}"), encoding="utf-8") as f:
        text = f.read()
    parts = []
    for name, strided in re.findall(r'^array\d+ "([^"]+)": .*?( strided)? \[', text, re.M):
        parts.append("@" + name.replace(" ", "_"))
        parts += [word(extent) for extent in dims]
        parts += [word(stride) for stride in ([SIDE, 1] if rank == 2 else [1])] if strided else []
    for scalar, name in re.findall(r'^param v\d+: (\w+) "([^"]+)"', text, re.M):
        base, _, part = name.partition(".")
        bits = numbers.scalar(base)
        bits = bits[4 * "xyz".index(part):][:4] if part else bits
        parts.append(bits.hex().ljust(16, "0"))
    parts += ["@fault", word(0), *map(word, dims), word(THREADS)]
    return parts + [word(0)] * (2 * (rank - 1))


def cuda_params(numbers, names):
    params = Params()
    for name in names.split():
        if name in numbers.kernel["arrays"]:
            params.add("@" + name, 8, 8)
        else:
            bits = numbers.scalar(name)
            params.add(bits.hex(), len(bits), 4)
    return params.parts


def warp_params(numbers, names, way):
    rank = numbers.kernel.get("rank", 1)
    shape = [SIDE, SIDE] if rank == 2 else [THREADS]
    params = Params()
    params.add(struct.pack("<4I" if rank == 4 else "<2I", *(shape + [0])[:2]).hex() + word(THREADS) + word(1), 24, 8)
    for adjoint in [False, True] if way == "backward" else [False]:
        for name in names.split():
            if name in numbers.kernel["arrays"]:
                size = 4 * max(numbers.kernel["arrays"][name], 1)
                strides = [size * SIDE, size] if rank == 2 else [size]
                fields = (shape + [0] * 4)[:4] + (strides + [0] * 4)[:4] + [rank, 0]
                gradient = way == "backward" and numbers.kernel["arrays"][name] != INDICES
                address = f"@{name}_gradient" if adjoint and gradient else word(0) if adjoint else "@" + name
                params.add(address, 8, 8)
                params.add(f"@{name}_gradient" if gradient else word(0), 8, 8)
                params.add(struct.pack("<10i", *fields).hex(), 40, 4)
            else:
                bits = bytes(len(numbers.scalar(name))) if adjoint else numbers.scalar(name)
                params.add(bits.hex(), len(bits), 4)
    return params.parts


def launches(texts):
    lines = []
    for (who, kernel, way), (path, entry) in texts.items():
        numbers = Numbers(kernel)
        lines.append(f"file {path}")
        for name, width in numbers.kernel["arrays"].items():
            lines.append(f"buffer {name} {numbers.hex(name)}")
            if way == "backward" and width != INDICES:
                lines.append(f"buffer {name}_gradient {numbers.ones(name)}")
        lines.append(f"buffer fault {'ff' * 8}{'00' * 56}")
        kinds = {"ours": lambda: our_words(numbers, kernel, way), "nvcc": lambda: cuda_params(numbers, numbers.kernel["cuda"]),
                 "Warp": lambda: warp_params(numbers, numbers.kernel["warp"], way)}
        lines.append("params " + " ".join(kinds[who]()))
        flat = numbers.kernel.get("rank", 1) == 1 or who == "Warp"
        lines.append(f"launch {entry} " + ("1 1 1 256 1 1" if flat else f"1 1 1 {SIDE} {SIDE} 1"))
    done = subprocess.run(["cargo", "run", "--release", "-q", "-p", "ptx-run", "--example", "count"], cwd=ROOT,
                          input="\n".join(lines), capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return dict(zip(texts, map(json.loads, done.stdout.splitlines())))


def compare(results):
    """Everybody writes the same, forward and back, but for what fusing and the order of sums change."""
    for (who, kernel, way), result in results.items():
        wanted = results["ours", kernel, way]["buffers"]
        arrays = KERNELS[kernel]["arrays"]
        # Gradients of what a kernel only writes are set to zero by one and kept by the other.
        reads = [name for name in arrays if name not in KERNELS[kernel]["writes"].split() and arrays[name] != INDICES]
        names = KERNELS[kernel]["writes"].split() if way == "forward" else [f"{name}_gradient" for name in reads]
        for name in names:
            a, b = (array.array("f", bytes.fromhex(text)) for text in (result["buffers"][name], wanted[name]))
            scale = max(1.0, max(map(abs, b)))
            worst = max(abs(x - y) for x, y in zip(a, b))
            if not worst <= 1e-4 * scale:
                sys.exit(f"{who}'s {kernel} {way} writes other numbers to `{name}` than ours: {worst}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", type=int, default=90)
    parser.add_argument("--keep", help="keep the texts there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(options.keep or temporary)
        os.makedirs(folder, exist_ok=True)
        sources = {"ours": ours(folder), "nvcc": nvrtc(folder, options.arch), "Warp": warp(folder, options.arch)}
        texts = {(who, kernel, way): (path, entry) for who, found in sources.items() for kernel, way, path, entry in found}
        facts = {}
        for who, path in sorted({(key[0], path) for key, (path, _) in texts.items()}):
            whole = assembled(path, options.arch, False)
            bare = assembled(path, options.arch, True) if who == "ours" else whole
            for entry in whole:
                facts[path, entry] = dict(whole[entry], machine=bare[entry]["machine"], memory=bare[entry]["memory"])
        results = launches(texts)
    compare(results)
    print("| kernel | who | registers | spills | machine instructions | of these memory | executed | of these memory |")
    print("|---|---|---|---|---|---|---|---|")
    for kernel in KERNELS:
        for way in ["forward", "backward"]:
            for who in ["ours", "nvcc", "Warp"]:
                if (who, kernel, way) not in texts:
                    continue
                f, r = facts[texts[who, kernel, way]], results[who, kernel, way]
                print(f"| {kernel}{', back' if way == 'backward' else ''} | {who} | {f['registers']} | {f['spills']} | {f['machine']} "
                      f"| {f['memory']} | {r['executed'] / r['threads']:.1f} | {r['global'] / r['threads']:.1f} |")


if __name__ == "__main__":
    main()
