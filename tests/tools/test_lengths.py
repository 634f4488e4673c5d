from tools.benchmark.lengths import measure


def test_the_works_take_turns_at_every_length_and_the_first_round_only_warms_up():
    calls = []
    works = {name: lambda ids, name=name: calls.append((name, ids.shape)) for name in ("one", "other")}
    found = measure(works, (5, 7), rows=3, rounds=2)
    assert calls == [(name, (3, length)) for length in (5, 7) for name in ("one", "other")] * 3
    assert found.keys() == {(name, length) for name in works for length in (5, 7)}
    assert all(wall >= 0 and cpu >= 0 for wall, cpu in found.values())
