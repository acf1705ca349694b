"""Checksums of the shipped bundles outside their folders, as ``scripts/record-models`` writes."""

from collections.abc import Mapping
from types import MappingProxyType

RECORDED: Mapping[str, str] = MappingProxyType(
    {
        "en": "e35462ab45525d805f1e7de1e6db4a4e16d289b64bc0a0576e03c17ec169198d",
    }
)
"""By name of the bundle: the SHA-256 of its sorted list of checksums."""
