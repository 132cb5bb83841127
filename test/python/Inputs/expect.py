"""For tests of what has to go wrong."""


def raises(kind, text, call):
    """Whether `call` raises an exception of the kind `kind` itself that says `text`; gives the exception."""
    try:
        call()
    except Exception as error:  # noqa: BLE001
        assert type(error) is kind and text in str(error), f"expected {kind.__name__} with '{text}', found {error!r}"
        return error
    raise AssertionError(f"expected {kind.__name__} with '{text}'")
