"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "2439b745e06b16dfe5d30b5aff4644e1920931231223f8e7d966f377c1859c3b",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
