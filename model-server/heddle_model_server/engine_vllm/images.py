"""Images as vLLM takes them."""

import io

from ..errors import NodeError

# Of an image, however few bytes it has.
MOST_PIXELS = 2**26


def decoded(files: tuple[bytes, ...]) -> list:
    """PIL's images of files. Takes long. Raises BAD_IMAGE."""
    return [image_of(file, at) for at, file in enumerate(files, 1)]


def image_of(file: bytes, at: int):
    """at: its number, for the error."""
    # vLLM needs it; nodes without a GPU don't have it.
    from PIL import Image

    try:
        image = Image.open(io.BytesIO(file), formats=("PNG", "JPEG", "WEBP", "GIF"))
        if image.width * image.height > MOST_PIXELS:
            raise NodeError("BAD_IMAGE", f"Image {at} has more than {MOST_PIXELS} pixels.", "messages")
        return image.convert("RGB")
    except NodeError:
        raise
    # Damaged files raise almost anything.
    except Exception as error:
        raise NodeError("BAD_IMAGE", f"Image {at} can't be read: it is damaged.", "messages") from error
