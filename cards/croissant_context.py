"""The JSON-LD context of Croissant (specification 1.1, appendix 1), which gives its short words their meaning."""

from collections.abc import Mapping
from typing import Any

_CR_WORDS = """annotation arrayShape citeAs column containedIn equivalentProperty excludes extract field fileProperty
fileObject fileSet format includes isArray isLiveDataset jsonPath key md5 parentField path readLines recordSet
references regex repeated replace samplingRate sdVersion separator source subField transform unArchive value"""
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{word: f"cr:{word}" for word in _CR_WORDS.split()},
}
