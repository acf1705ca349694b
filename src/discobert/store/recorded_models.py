"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "415882cd0f271f34907a3d51f8e89be7fecca37af7d3c70e7d3e1e47a53fbe65",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
