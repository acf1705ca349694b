"""Calibration: which features of an encoder are outliers on ordinary news text."""

import torch
from tokenizers import Tokenizer
from torch import Tensor

from discobert.language.sentences import NewsSplitter
from discobert.nn.analyser import AnalyserNet
from discobert.nn.export.outliers import recorded_maxima
from discobert.runtime.pieces import lay_out
from discobert.train.analyser.encode import upper_layer_vectors
from discobert.train.core.lower_layers import lower_layer_vectors

SAMPLE = """\
The harbour of Port Ellery was closed on Tuesday after a ferry with 214 passengers on board had \
lost its rudder in heavy seas, the coastguard said. Nobody was hurt.

"We heard a bang, and then the whole boat began to turn," said Maria Okafor, 34, who was on her \
way to work. She added that the crew had stayed calm although the lights went out twice. Two \
tugs, which had been sent from the naval base at Cray Point, reached the vessel at about 9.40 \
a.m. and brought it back within three hours.

The ferry's owner, Northern Lines Ltd., has been fined twice since 2019: once for missing life \
jackets, and once because a door would not close. Its shares fell by 6.5% to £1.12. A spokesman \
refused to comment, saying only that safety "always comes first".

What happens next? If the inspectors find a fault in the steering, all five ships of the same \
class will have to be checked before they may sail again. That could take until June; the summer \
timetable starts on 1 May.

Residents of the islands are worried. Without the boat there is no doctor, no post and – as one \
of them wrote on Facebook – "no bloody bread". The council will meet on Friday to discuss \
whether a smaller ship can be hired from Norway.
"""
"""Invented news with names, figures, quotations and clauses of all kinds."""


def input_maxima(net: AnalyserNet, tokenizer: Tokenizer) -> dict[str, Tensor]:
    """Return the largest absolute value of each feed-forward input of the encoder, by layer."""
    layout = lay_out(tokenizer, SAMPLE, NewsSplitter().split(SAMPLE))
    net.eval()
    with torch.no_grad(), recorded_maxima(net) as maxima:
        lower = lower_layer_vectors(net.trunk, layout)
        upper_layer_vectors(net, [layout], [lower], max_pieces=len(layout.ids))
    return maxima
