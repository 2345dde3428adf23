"""The two nets that find labels: plain convolutions, some of them added to what they were given."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class Layer:
    """A convolution: the side of its kernel, its step, the samples added round what it is given, its planes."""

    kernel: int
    step: int
    rim: int
    planes: int


FINDER = (Layer(6, 4, 1, 24), Layer(3, 2, 1, 40), *(Layer(3, 1, 1, 40),) * 4, Layer(1, 1, 0, 8))
"""From an evened picture to answers for cells of eight pixels: likeness, right, down, and the five of a shape."""
REFINER = (
    *(Layer(5, 2, 2, 10), Layer(3, 2, 1, 28), Layer(3, 2, 1, 56), Layer(3, 1, 1, 56)),
    *(Layer(3, 2, 1, 80), Layer(3, 1, 0, 80), Layer(1, 1, 0, 13)),
)
"""From a cut to whether it shows a label, which of its corners comes first (4), and where the corners are (8)."""
SELDOM = -4.0
"""Most places hold no label: where the likeness begins, as a logit."""


class Convolutions(nn.Module):
    """A row of convolutions with nothing below 0 let through between them."""

    def __init__(self, layers: tuple[Layer, ...], beginning: float = 0.0) -> None:
        """Begin with small random weights; ``beginning``: what the first plane says before it has learnt."""
        super().__init__()
        self.plan = layers
        planes = [1, *(layer.planes for layer in layers)]
        self.layers = nn.ModuleList(
            nn.Conv2d(before, after, layer.kernel, layer.step, layer.rim)
            for (before, after), layer in zip(pairwise(planes), layers, strict=True)
        )
        with torch.no_grad():
            for layer in self.layers:
                nn.init.kaiming_normal_(layer.weight)
                nn.init.zeros_(layer.bias)
            self.layers[-1].weight *= 0.1
            self.layers[-1].bias[0] = beginning

    def forward(self, x: Tensor) -> Tensor:
        """Answer: n x planes x rows x columns."""
        for layer in self.layers[:-1]:
            y = torch.relu(layer(x))
            x = x + y if x.shape == y.shape else y
        return self.layers[-1](x)


def write(net: Convolutions, path: Path, given: tuple[str | int, ...]) -> None:
    """Write a net as ONNX, by its operators alone: nothing of how or when it was made."""
    nodes: list[onnx.NodeProto] = []
    weights: list[onnx.TensorProto] = []
    name = "picture"
    before = 1
    for number, (layer, made) in enumerate(zip(net.plan, net.layers, strict=True)):
        own = [f"weights{number}", f"bias{number}"]
        for named, value in zip(own, (made.weight, made.bias), strict=True):
            weights.append(numpy_helper.from_array(value.detach().numpy(), named))
        last = number == len(net.plan) - 1
        conv = "answers" if last else f"conv{number}"
        shape = {"kernel_shape": [layer.kernel] * 2, "strides": [layer.step] * 2, "pads": [layer.rim] * 4}
        nodes.append(helper.make_node("Conv", [name, *own], [conv], **shape))
        if last:
            break
        relu = f"relu{number}"
        nodes.append(helper.make_node("Relu", [conv], [relu]))
        if layer.step == 1 and layer.planes == before and layer.rim == layer.kernel // 2:
            nodes.append(helper.make_node("Add", [name, relu], [f"sum{number}"]))
            relu = f"sum{number}"
        name, before = relu, layer.planes
    output = helper.make_tensor_value_info("answers", TensorProto.FLOAT, ["n", net.plan[-1].planes, "rows", "columns"])
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, list(given))
    graph = helper.make_graph(nodes, "labels", [picture], [output], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], producer_name="companion")
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def read(net: Convolutions, path: Path) -> None:
    """Load the weights that ``write`` wrote."""
    kept = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}
    with torch.no_grad():
        for number, layer in enumerate(net.layers):
            layer.weight.copy_(torch.from_numpy(kept[f"weights{number}"].copy()))
            layer.bias.copy_(torch.from_numpy(kept[f"bias{number}"].copy()))
