"""What the weave Python SDK logs while it reads feedback, after a user has run BEFORE. PROJECT names the project."""

import guard  # noqa: F401, I001

import logging
import os

import weave

from result import report

logged = []


class Kept(logging.Handler):
    def emit(self, record):
        logged.append(record.getMessage())


logging.getLogger('weave.trace_server.common_interface').addHandler(Kept())
exec(os.environ['BEFORE'])
client = weave.init(os.environ['PROJECT'])


@weave.op
def answer() -> int:
    return 1


_, call = answer.call()
client.flush()
call.feedback.add_note('well said')
client.flush()
notes = [row.payload['note'] for row in call.feedback.refresh()]
client.finish()
report({'notes': notes, 'logged': logged})
