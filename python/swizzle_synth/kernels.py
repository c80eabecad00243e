"""Completed kernels as callables of CuPy and PyTorch: what their text says of parameters and launch."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from .errors import NoKernelError
from .expressions import Expression

_FLOATING = ("float", "double")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel: `type` without qualifiers of the pointer itself."""

    type: str
    name: str

    @property
    def is_pointer(self) -> bool:
        return self.type.endswith("*")


@dataclass(frozen=True)
class Signature:
    """A kernel's name and parameters."""

    name: str
    parameters: tuple[Parameter, ...]
    is_template: bool


def launch_directive(text: str) -> tuple[list[str], list[str]]:
    """The expressions of grid and block in a kernel's launch directive.

    Raises
    ------
    NoKernelError
        There is no directive.
    """
    directive = re.search(r"\bswizzle\s+launch\b(.*)", text)
    if directive is None:
        raise NoKernelError("the kernel has no launch directive")
    return _among(directive[1], "grid"), _among(directive[1], "block")


def _among(text: str, word: str) -> list[str]:
    """The expressions between the parentheses behind `word`."""
    start = re.search(rf"\b{word}\s*\(", text)
    if start is None:
        raise NoKernelError(f"the launch directive does not say its {word}")
    return _split(text[start.end():_end_of_parentheses(text, start.end())])


def _end_of_parentheses(text: str, at: int) -> int:
    """Where the parenthesis that is open at `at` is closed."""
    depth = 1
    for end in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return end
    raise NoKernelError(f"a parenthesis is not closed: {text[at:at + 40]}")


def _split(text: str) -> list[str]:
    """At the commas outside of parentheses and angle brackets."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += {"(": 1, "<": 1, ")": -1, ">": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return parts + [part.strip()] if part.strip() else parts


def launch_shape(text: str, **sizes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Grid and block of the launch directive at these sizes.

    Examples
    --------
    >>> launch_shape("// swizzle launch grid(n / 64, 2) block(64)", n=256)
    ((4, 2), (64,))
    """
    grid, block = (tuple(Expression(each)(**sizes) for each in part) for part in launch_directive(text))
    return grid, block


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


def signature(text: str, name: str | None = None) -> Signature:
    """The signature of the ``__global__`` function `name`, or of the only one.

    Raises
    ------
    NoKernelError
        There is none, or there are several.
    """
    code = re.sub(r"\b__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)", " ", _without_comments(text))
    wanted = None if name is None else name.split("<")[0]
    found = []
    for start in re.finditer(r"\b__global__\b[^;{}()]*?\b(\w+)\s*\(", code):
        if wanted is not None and start[1] != wanted:
            continue
        before = code[:start.start()].rstrip()
        is_template = before.endswith(">") or bool(re.search(r"template\s*<[^;{}]*$", before))
        parameters = _split(code[start.end():_end_of_parentheses(code, start.end())])
        found.append(Signature(start[1], tuple(_parameter(each) for each in parameters), is_template))
    if len({each.name for each in found}) != 1:
        names = ", ".join(each.name for each in found) or "none"
        raise NoKernelError(f"say which kernel: there are {names}" if name is None else f"there is no kernel {name}")
    return found[0]


def _parameter(text: str) -> Parameter:
    words = re.sub(r"\b(__restrict__|__restrict|__grid_constant__)\b", " ", text.split("=")[0])
    is_array = words.rstrip().endswith("]")
    declared = re.fullmatch(r"(.*?)(\w+)\s*(?:\[\s*\w*\s*\])?\s*", words.strip(), flags=re.DOTALL)
    if declared is None:
        raise NoKernelError(f"this parameter is not understood: {text}")
    kind = re.sub(r"\*\s*const\s*$", "*", declared[1].strip())
    return Parameter(re.sub(r"\s*\*$", "*", kind) + ("*" if is_array else ""), declared[2])


def raw_kernel(text: str, name: str | None = None, **options: Any) -> Any:
    """See `Result.raw_kernel`."""
    try:
        import cupy
    except ImportError as error:
        raise ImportError("raw_kernel() needs CuPy: pip install cupy-cuda12x, or the package for your CUDA") from error
    found = signature(text, name)
    if found.is_template and "<" not in (name or ""):
        raise NoKernelError(f"{found.name} is a template: name an instance, such as '{found.name}<32>'")
    full_name = name or found.name
    flags = ("--std=c++17", *options.pop("options", ()))
    module = cupy.RawModule(code=text, options=flags, name_expressions=(full_name,), **options)
    return module.get_function(full_name)


def load_inline(text: str, name: str | None = None, **options: Any) -> Any:
    """See `Result.load_inline`."""
    try:
        from torch.utils.cpp_extension import load_inline as build
    except ImportError as error:
        raise ImportError("load_inline() needs PyTorch: pip install torch") from error
    found = signature(text, name)
    if found.is_template:
        raise NoKernelError(f"{found.name} is a template, which load_inline() does not launch")
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    given = {"name": f"swizzle_synth_{found.name}_{digest}", "functions": [found.name], **options}
    return build(cpp_sources=[f"{_host_declaration(found)};\n"], cuda_sources=[text + host_function(text, found)],
                 **given)


def _host_declaration(kernel: Signature) -> str:
    def parameter(each: Parameter) -> str:
        if each.is_pointer:
            return f"const at::Tensor& {each.name}"
        return f"{'double' if each.type in _FLOATING else 'int64_t'} {each.name}_"

    return f"void {kernel.name}({', '.join(parameter(each) for each in kernel.parameters)})"


def host_function(text: str, kernel: Signature) -> str:
    """C++ that launches a kernel on tensors, as its launch directive says.

    Tensors must lie on one GPU, be contiguous, and have elements whose size divides that of the kernel's.
    """
    lines = []
    for each in kernel.parameters:
        if each.is_pointer:
            element = each.type[:-1].strip()
            lines.append(f'TORCH_CHECK({each.name}.is_cuda() && {each.name}.is_contiguous(), '
                         f'"{each.name} must be contiguous and on the GPU");')
            lines.append(f"TORCH_CHECK(sizeof({element}) % {each.name}.element_size() == 0, "
                         f'"{each.name} has elements of another size than {element}");')
        else:
            lines.append(f"const {each.type.removeprefix('const ')} {each.name} = "
                         f"static_cast<{each.type.removeprefix('const ')}>({each.name}_);")
    first = next((each.name for each in kernel.parameters if each.is_pointer), None)
    if first is not None:
        lines.append(f"const c10::cuda::CUDAGuard guard({first}.device());")
    grid, block = (", ".join(f"static_cast<unsigned>({each})" for each in part) for part in launch_directive(text))
    arguments = ", ".join(f"static_cast<{each.type}>({each.name}.data_ptr())" if each.is_pointer else each.name
                          for each in kernel.parameters)
    lines += [f"{kernel.name}<<<dim3({grid}), dim3({block}), 0, c10::cuda::getCurrentCUDAStream()>>>({arguments});",
              "C10_CUDA_KERNEL_LAUNCH_CHECK();"]
    body = "".join(f"  {line}\n" for line in lines)
    return (f"\n#include <c10/cuda/CUDAException.h>\n#include <c10/cuda/CUDAGuard.h>\n"
            f"\n{_host_declaration(kernel)} {{\n{body}}}\n")
