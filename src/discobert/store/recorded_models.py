"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "4a4b9ce6e048694521f2aa51814e116b56f4bf4ad71a9a0163be86a325c62654",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
