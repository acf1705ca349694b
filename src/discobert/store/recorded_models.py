"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "17a0e1466e751ba0c7f0f7121e1208aebc374259e57c7a7c99f5423fc48a2b98",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
