"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "32ee88909a8b4476038511530b73313de026475c6682432660fce57e09f88060",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
