"""A trace of Langfuse's SDK before version 3: observations that are created and updated in several requests, an error, an
event, scores. Environment: PROJECT. Reports the ids and the answers of the server that were not as they should be.
"""

import guard  # noqa: F401, I001

import logging
import os

from langfuse import Langfuse

from result import report

problems = []


class Collect(logging.Handler):
    def emit(self, record):
        if record.levelno >= logging.WARNING:
            problems.append(record.getMessage())


logging.getLogger('langfuse').addHandler(Collect())
langfuse = Langfuse(
    host=os.environ['WF_TRACE_SERVER_URL'],
    public_key=os.environ['PROJECT'],
    secret_key=os.environ['WANDB_API_KEY'],
)
trace = langfuse.trace(name='turn', user_id='ann', session_id='session-1', input={'q': 'weather?'}, tags=['blue'])
span = trace.span(name='plan', input={'city': 'Paris'}, metadata={'step': 1})
langfuse.flush()
generation = span.generation(
    name='ask', model='gpt-4o', model_parameters={'temperature': 0.5}, input=[{'role': 'user', 'content': 'weather?'}]
)
langfuse.flush()
generation.end(
    output={'role': 'assistant', 'content': 'sunny'}, usage={'input': 20, 'output': 7, 'total': 27, 'unit': 'TOKENS'}
)
span.event(name='noticed', input='a cloud')
langfuse.flush()
span.end(output='planned', metadata={'result': 2})
failed = trace.span(name='look', input='window')
failed.end(level='ERROR', status_message='it is dark')
running = trace.span(name='wait')
trace.update(output='It is sunny.')
trace.score(name='liked', value=1, comment='yes')
generation.score(name='tone', value='warm')
langfuse.flush()
langfuse.shutdown()
report(
    {
        'problems': problems,
        'trace': trace.id,
        'span': span.id,
        'generation': generation.id,
        'running': running.id,
    }
)
