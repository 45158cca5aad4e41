#!/usr/bin/env python3
"""Compiles the kernels to PTX, a text that NVIDIA's driver takes without a compiler:

    pip install nvidia-cuda-nvrtc-cu12==12.9.86
    python3 harness/gpu/ptx.py

Run it after a change of `kernels/levels.cu` or of a puzzle's `gpu.cu`. Each `gpu.ptx` begins with a
digest of its sources, which a test compares.
"""

import ctypes
import glob
import os
import re

import nvidia.cuda_nvrtc

HERE = os.path.dirname(os.path.abspath(__file__))
PUZZLES = ["coin-sliding/src", "classics/src/sliding_tile"]


def checked(nvrtc, status):
    nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
    if status:
        raise SystemExit(nvrtc.nvrtcGetErrorString(status).decode())


def text(nvrtc, program, what):
    size = ctypes.c_size_t()
    checked(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    checked(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, buffer))
    return buffer.value.decode()


def compiled(nvrtc, source, folder):
    program = ctypes.c_void_p()
    checked(nvrtc, nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"levels.cu", 0, None, None))
    flags = [b"--gpu-architecture=compute_70", f"--include-path={folder}".encode()]
    status = nvrtc.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags))
    print(text(nvrtc, program, "ProgramLog"), end="")
    checked(nvrtc, status)
    return text(nvrtc, program, "PTX")


def digest(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def main():
    library = glob.glob(f"{list(nvidia.cuda_nvrtc.__path__)[0]}/lib/libnvrtc.so.*")[0]
    nvrtc = ctypes.CDLL(library)
    with open(f"{HERE}/kernels/levels.cu", "rb") as file:
        levels = file.read()
    for puzzle in PUZZLES:
        folder = os.path.normpath(f"{HERE}/../../puzzles/{puzzle}")
        with open(f"{folder}/gpu.cu", "rb") as file:
            sources = levels + file.read()
        ptx = compiled(nvrtc, levels, folder)
        # The text uses nothing newer than this version, which drivers from 2020 on take.
        ptx = re.sub(r"(?m)^\.version .*$", ".version 7.0", ptx)
        with open(f"{folder}/gpu.ptx", "w", encoding="ascii") as file:
            file.write(f"// Made by harness/gpu/ptx.py from sources {digest(sources):016x}.\n{ptx.lstrip()}")


main()
