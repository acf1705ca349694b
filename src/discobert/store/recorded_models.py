"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "847db14845a1c10c5a5a6561aa298584c7696025e28a16209a7720b02d03e673",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
