"""The nets' copies: each made ready for pictures of one size, each asked by one thread at a time."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from companion.vision.deck.finder import MAX_COPIES, Net

SIZES = (64, 96, 128, 160, 192, 224)


def pictures() -> list[npt.NDArray[np.float32]]:
    random = np.random.default_rng(3)
    return [random.normal(0, 1, (1, 1, side, side)).astype(np.float32) for side in SIZES]


def test_threads_that_ask_about_pictures_of_many_sizes_at_once_get_each_its_own_answer() -> None:
    # given what one copy says to each picture, asked in turn
    shown = pictures()
    alone = [Net("finder").infer(picture) for picture in shown]

    # when four threads ask one net about all of them again and again
    net = Net("finder")
    net.load()
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(net.infer, shown * 10))

    # then nobody gets another's answer
    for number, answer in enumerate(answers):
        np.testing.assert_allclose(answer, alone[number % len(shown)], atol=1e-5)
    assert len(net._free) <= MAX_COPIES


def test_more_sizes_than_copies_are_answered_by_the_copy_that_waited_longest() -> None:
    net, shown = Net("finder"), pictures()
    for picture in shown:
        net.infer(picture)
    assert [copy.shape[-1] for copy in net._free] == list(SIZES[-MAX_COPIES:])

    # when the copy that is ready for the smallest of these is asked again
    ready = net._free[0].net
    net.infer(shown[-MAX_COPIES])

    # then it is that one that answered, and it waits at the end
    assert net._free[-1].net is ready
    assert len(net._free) == MAX_COPIES
