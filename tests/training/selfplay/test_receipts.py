"""Messages are learnt from once."""

from zerolab.training.selfplay.receipts import ReceiptBook, Receipts


def test_messages_are_new_once() -> None:
    book = ReceiptBook()
    assert [book.is_new(7, number) for number in (1, 2, 2, 1, 3)] == [
        True,
        True,
        False,
        False,
        True,
    ]
    assert book.is_new(8, 1)
    assert book.step() == Receipts(4, 2, 0, {"00000007": [1, 3], "00000008": [1, 1]})


def test_a_step_has_its_own_messages_and_counts_go_on() -> None:
    book = ReceiptBook()
    book.is_new(7, 1)
    book.step()
    assert not book.is_new(7, 1)
    assert book.is_new(7, 2)
    assert book.step() == Receipts(2, 1, 0, {"00000007": [2, 2]})
    assert book.step() == Receipts(2, 1, 0, {})


def test_gaps_are_counted() -> None:
    """Also before the first message that came."""
    book = ReceiptBook()
    for number in (3, 4, 8):
        book.is_new(7, number)
    assert book.step() == Receipts(3, 0, 5, {"00000007": [3, 8]})
