"""The weave Python SDK with values that are files behind the scenes: images, contents of any kind, sounds, times, in
objects, in what ops take and give, and in rows of a dataset. PROJECT names the project. Reports what it read back.
"""

import guard  # noqa: F401, I001

import datetime
import io
import os
import wave

import weave
from PIL import Image
from weave import Dataset
from weave.type_wrappers.Content.content import Content

from result import report
from since import uri

client = weave.init(os.environ['PROJECT'])
found = {}


def image(colour, size=(7, 5)):
    return Image.new('RGB', size, colour)


def sound(path, frames):
    with wave.open(path, 'wb') as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(8000)
        out.writeframes(frames)
    return wave.open(path, 'rb')


noise = os.urandom(300_000)
large = os.urandom(9_000_000)
frames = bytes(range(256)) * 40
home = os.environ['HOME']
moment = datetime.datetime(2026, 1, 2, 3, 4, 5, 678900, tzinfo=datetime.timezone.utc)

published = weave.publish(
    {
        'image': image('red'),
        'noise': Content.from_bytes(noise, extension='.bin', mimetype='application/octet-stream'),
        'large': Content.from_bytes(large, extension='.bin', mimetype='application/octet-stream'),
        'text': Content.from_text('żółć 🧵', mimetype='text/markdown'),
        'empty': Content.from_bytes(b'', extension='.txt', mimetype='text/plain'),
        'sound': sound(f'{home}/sound.wav', frames),
        'moment': moment,
    },
    'media',
)
client.flush()
back = weave.ref(uri(published)).get()
found['image'] = [list(back['image'].size), back['image'].getpixel((0, 0)) == (255, 0, 0)]
found['noise'] = [back['noise'].data == noise, back['noise'].mimetype, back['noise'].size]
found['large'] = back['large'].data == large
found['text'] = [back['text'].data.decode(), back['text'].mimetype]
found['empty'] = back['empty'].size
found['sound'] = [back['sound'].getframerate(), back['sound'].readframes(100_000) == frames]
found['moment'] = back['moment'] == moment


@weave.op
def blend(one: Image.Image, two: Image.Image) -> Image.Image:
    return Image.blend(one, two, 0.5)


@weave.op
def transcribe(audio: wave.Wave_read) -> Content:
    return Content.from_text(f'{audio.getnframes()} frames')


blended, blend_call = blend.call(image('red'), image('blue'))
_, transcribe_call = transcribe.call(sound(f'{home}/other.wav', frames))
client.flush()
call = client.get_call(blend_call.id)
found['op'] = [
    list(call.inputs['one'].size),
    call.output.getpixel((0, 0)) == blended.getpixel((0, 0)),
    client.get_call(transcribe_call.id).output.data.decode(),
]

rows = [{'n': n, 'image': image((n, n, n), (3, 3))} for n in range(20)]
dataset = weave.publish(Dataset(name='pictures', rows=rows))
client.flush()
read = list(weave.ref(uri(dataset)).get().rows)
found['dataset'] = [len(read), all(row['image'].getpixel((0, 0))[0] == row['n'] for row in read)]

same = io.BytesIO()
image('red').save(same, format='PNG')
again = weave.publish({'image': Image.open(io.BytesIO(same.getvalue()))}, 'same')
client.flush()
found['again'] = weave.ref(uri(again)).get()['image'].size == (7, 5)

client.finish()
report(found)
