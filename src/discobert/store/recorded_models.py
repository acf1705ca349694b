"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "a8b720e6f89fd081f216df08f3298c3b12e19b1f51cd04737bbe2590f97ce96c",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
