"""Prompts of Langfuse's SDKs as the weave SDK reads them, filled in. Environment: PROJECT. Publishes one of its own, too."""

import guard  # noqa: F401, I001

import os

import weave

from result import report

weave.init(os.environ['PROJECT'])
weave.publish(weave.StringPrompt('Dear {name}'), name='elsewhere')
found = {}
if os.environ.get('READ'):
    text = weave.ref(os.environ['READ']).get()
    chat = weave.ref('chat:production').get()
    found = {
        'text': [type(text).__name__, text.format(name='Ann')],
        'chat': [type(chat).__name__, chat.format(name='Ann', question='Why?')],
    }
report(found)
