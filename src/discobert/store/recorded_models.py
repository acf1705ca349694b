"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "fad47e52e6c64fcc63ad6e7fa678fca64c804148a32852b68d34ef05fa03a0bb",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
