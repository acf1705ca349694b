"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "0c88305ec5c5ffcd4714ce8d9dc2bf4b1972ec4e448ff66a6ca39d22181b0500",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
