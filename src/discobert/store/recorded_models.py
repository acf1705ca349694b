"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "cdf74488e17ce2114ca4e603ed00fc09139b74fa11dd69cb1b64f556d0bf552a",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
