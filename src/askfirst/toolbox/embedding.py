"""A model that turns texts into vectors: one that the user names (`toolbox: {embedding_model: …}`) and that lies on
this machine. Nothing is downloaded and nothing leaves: a name that is no directory here is refused, and the libraries
are told to stay offline.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from askfirst.errors import AskfirstError

EXTRA = "ask the user: pip install 'askfirst[embeddings]'"
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


class NoEmbedding(AskfirstError):
    """Why texts cannot be compared by their meaning here, with the way out."""


@dataclass(frozen=True)
class EmbeddingModel:
    path: str
    dimensions: int
    encode: Callable[[Sequence[str]], Any]  # texts -> an array with a row each

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """Each as SQLite takes it: 32-bit numbers in a row."""
        return [row.astype("float32").tobytes() for row in self.encode(texts)]


def model_directory(name: str) -> str:
    """Where the model lies: a directory, or an installed package that brings one. Its code is not run."""
    path = os.path.expanduser(name)
    if os.sep not in path and path.isidentifier():
        spec = find_spec(path)
        places = list(spec.submodule_search_locations or ()) if spec is not None else []
        if not places:
            raise NoEmbedding(f"embedding_model: there is no package `{name}`; ask the user to install it")
        inner = (os.path.join(place, sub) for place in places for sub in ("", "model"))
        path = next((p for p in inner if os.path.isfile(os.path.join(p, "config.json"))), places[0])
    if not os.path.isabs(path) or not os.path.isfile(os.path.join(path, "config.json")):
        raise NoEmbedding(f"embedding_model: `{name}` is no model's directory on this machine; ask the user")
    return os.path.realpath(path)


def load_model(name: str) -> EmbeddingModel:
    path = model_directory(name)
    os.environ.update(_OFFLINE)
    try:
        return _static(path) if _is_static(path) else _transformer(path)
    except ImportError as error:
        way = (
            EXTRA if error.name == "model2vec" else f"ask the user: pip install {(error.name or '').replace('_', '-')}"
        )
        raise NoEmbedding(f"the model at {path} needs the package `{error.name}`; {way}") from None
    except Exception as error:
        # A model is a file of somebody else's, read by a library of somebody else's: the words still find something.
        raise NoEmbedding(f"the model at {path} cannot be loaded: {type(error).__name__}: {error}") from None


def _is_static(path: str) -> bool:
    """Whether a word has the same vector wherever it stands: small, and fast without a graphics card."""
    try:
        with open(os.path.join(path, "modules.json"), encoding="utf-8") as file:
            return "StaticEmbedding" in file.read(1 << 16)
    except FileNotFoundError:
        return True


def _static(path: str) -> EmbeddingModel:
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(path)
    return EmbeddingModel(path, int(model.dim), model.encode)


def _transformer(path: str) -> EmbeddingModel:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(path, local_files_only=True, trust_remote_code=False, device="cpu")
    size = len(model.encode(["a"])[0])
    return EmbeddingModel(path, size, lambda texts: model.encode(list(texts), show_progress_bar=False))
