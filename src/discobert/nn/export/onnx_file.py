"""Torch modules as ONNX files."""

import io
import warnings

import torch
from torch import Tensor, nn

OPSET = 17
HALF = "/half"
"""How the names of weights end that an ONNX file keeps in half precision."""

Axes = dict[str, dict[int, str]]
"""Names of dynamic axes, by input or output."""


def onnx_bytes(
    module: nn.Module, example: tuple[Tensor, ...], *, inputs: Axes, outputs: Axes
) -> bytes:
    """Export a module in evaluation mode; ``example`` is traced, ``inputs`` and outputs named."""
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # Only the older exporter takes a symbolic function for our attention operator; it warns of
        # its age, and of shapes that are constant in our modules.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module.eval(),
            example,
            buffer,  # type: ignore[arg-type]  # any file object will do
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={**inputs, **outputs},
            opset_version=OPSET,
            dynamo=False,
        )
    return buffer.getvalue()
