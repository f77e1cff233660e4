"""search_knowledge with a model that the user names: what is said without one, and a small real one."""

from __future__ import annotations

import builtins
import importlib
import os
from pathlib import Path
from typing import Any

import pytest

from askfirst.toolbox import embedding
from askfirst.toolbox.embedding import NoEmbedding, load_model, model_directory
from askfirst.toolbox.search_index import Hit
from askfirst.toolbox.searching import fused, index_of, search_knowledge
from tests.toolbox.support import called, data, organisation, place_of

DOCUMENTS = {
    "one.md": "# Vehicles\n\nThe automobile is washed on friday\n",
    "two.md": "# Animals\n\nThe dog eats twice\n",
    "three.md": "# Weather\n\nRain falls in spring\n",
}


@pytest.fixture
def work(project: Path) -> Path:
    for name, text in DOCUMENTS.items():
        (project / name).write_text(text)
    return project


def hit(path: str) -> Hit:
    return Hit(path, 1, "heading", path, "", 0.0)


def test_two_lists_in_one() -> None:
    words, meaning = [hit("a"), hit("b"), hit("c")], [hit("c"), hit("d")]
    assert [h.path for h in fused(words, meaning)] == ["c", "a", "b", "d"]
    assert fused(words, []) == words


@pytest.mark.parametrize("name", ["no_such_package_at_all", "relative/path", "/nowhere", "json", "BAAI/bge-small-en"])
def test_a_model_lies_on_this_machine(name: str) -> None:
    with pytest.raises(NoEmbedding, match="ask the user"):
        model_directory(name)


def test_without_the_packages_words_find_it_and_the_way_is_said(work: Path, tmp_path: Path, monkeypatch: Any) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    organisation(f"toolbox: {{embedding_model: {model}}}")
    whole = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name in ("model2vec", "sqlite_vec"):
            raise ImportError(name=name)
        return whole(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert index_of(place_of(work)).refresh(60).state == "ready"
    found = data(called(search_knowledge, work, "dog"))
    assert found["results"][0]["path"] == "two.md" and found["by"] == "words"
    assert "pip install 'askfirst[embeddings]'" in found["warning"]


# -- a real model, where the extra is installed


def small_model(path: Path) -> Path:
    """Words with vectors that somebody wrote down: `car` and `automobile` are nearly one."""
    numpy = pytest.importorskip("numpy", reason="needs the extra askfirst[embeddings]")
    model2vec = pytest.importorskip("model2vec", reason="needs the extra askfirst[embeddings]")
    pytest.importorskip("sqlite_vec", reason="needs the extra askfirst[embeddings]")
    tokenizers = importlib.import_module("tokenizers")
    words = {"[UNK]": 0, "car": 1, "automobile": 2, "dog": 3, "rain": 4}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    rows = [[0.01, 0.01, 0.01], [1, 0, 0.1], [1, 0.1, 0], [0, 1, 0], [0, 0, 1]]
    model2vec.StaticModel(numpy.array(rows, dtype="float32"), tokenizer).save_pretrained(str(path))
    return path


def test_what_means_the_same_is_found(work: Path, tmp_path: Path) -> None:
    organisation(f"toolbox: {{embedding_model: {small_model(tmp_path / 'model')}}}")
    index = index_of(place_of(work))
    assert index.refresh(60).state == "ready" and not index.no_vectors, index.no_vectors
    found = data(called(search_knowledge, work, "car"))
    assert found["by"] == "words and meaning" and found["results"][0]["path"] == "one.md", "no word of it stands there"
    (work / "one.md").write_text("# Vehicles\n\nNothing\n")
    (work / "more.md").write_text("# More\n\nOne automobile more\n")
    (work / "two.md").unlink()
    index.refresh(60)
    paths = [row["path"] for row in data(called(search_knowledge, work, "car"))["results"]]
    assert paths[0] == "more.md" and "two.md" not in paths
    assert os.stat(index.vectors.file if index.vectors else "").st_mode & 0o077 == 0


def test_a_model_in_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site/some_model_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('its code ran')")
    monkeypatch.syspath_prepend(str(package.parent))
    (package / "model").mkdir()
    (package / "model/config.json").write_text("{}")
    assert model_directory("some_model_package") == str(package / "model")
    (package / "model/model.safetensors").write_bytes(b"no model")
    with pytest.raises(NoEmbedding):
        load_model("some_model_package")
    assert {"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"} <= embedding._OFFLINE.keys()
