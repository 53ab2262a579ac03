"""What versions of the weave SDK do otherwise."""

import weave


def uri(ref):
    """The address of a ref: a method before 0.52.20, a property since."""
    return ref.uri() if callable(ref.uri) else ref.uri


def eager_op(**options):
    """An op whose start is sent at once: all starts were, in the first versions."""
    try:
        return weave.op(eager_call_start=True, **options)
    except TypeError:
        return weave.op(**options)
