from __future__ import annotations

import pytest

from askfirst.store import ids


def test_ids_have_128_bits_and_no_look_alikes() -> None:
    made = {ids.new_id() for _ in range(1000)}
    assert len(made) == 1000
    assert all(ids.is_id(i) for i in made)
    assert not set("ilou") & set(ids.ALPHABET)
    assert ids.LENGTH * 5 >= 128


KNOWN = ("0a1b" + "2" * 22, "0a1c" + "2" * 22, "zz1b" + "3" * 22)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("zz1b", KNOWN[2]),
        ("ZZ1B", KNOWN[2]),
        ("zzlb", KNOWN[2]),
        ("zzIb", KNOWN[2]),
        (" zz1b ", KNOWN[2]),
        ("oa1b", KNOWN[0]),
        (KNOWN[1], KNOWN[1]),
    ],
)
def test_people_may_type_what_they_see(typed: str, found: str) -> None:
    assert ids.resolve(typed, KNOWN) == found


@pytest.mark.parametrize("typed", ["", "zz1", "zzzz", "zz1b?", "../..", "é" * 5, "z" * 40])
def test_what_is_not_an_id_says_so(typed: str) -> None:
    with pytest.raises(ids.UnknownId):
        ids.resolve(typed, KNOWN)


def test_an_ambiguous_one_lists_what_it_could_be() -> None:
    twins = ("abcd" + "0" * 22, "abcd" + "1" * 22)
    with pytest.raises(ids.AmbiguousId, match="matches 2 ids: abcd0, abcd1"):
        ids.resolve("abcd", twins)


def test_the_shortest_unique_beginning_is_shown() -> None:
    assert [ids.shown(i, KNOWN) for i in KNOWN] == ["0a1b", "0a1c", "zz1b"]
    twins = ("abcdef" + "0" * 20, "abcdeg" + "0" * 20)
    assert ids.shown(twins[0], twins) == "abcdef"
