"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "6d4b43a5a8256a7e5281c2752f7e1eb3cc55721ae57bef9050c8570d7e205fb4",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
