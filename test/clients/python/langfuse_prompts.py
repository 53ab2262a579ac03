"""Prompts of Langfuse's SDK, versions 2 to 5: published, labelled, cached, filled in, and read from another client.
Environment: LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY. Reports what the SDK read.
"""

import guard  # noqa: F401, I001

from langfuse import Langfuse

from result import report

client = Langfuse()
# Version 2 can't ask for a prompt in a folder.
name = 'greeting' if hasattr(client, 'trace') else 'team/greeting'
first = client.create_prompt(
    name=name, prompt='Hello {{ name }}, {"a": 1}', labels=['production'], tags=['warm'], config={'model': 'm'}
)
client.create_prompt(name=name, prompt='Hi {{name}}', commit_message='shorter')
found = {'first': first.version, 'production': client.get_prompt(name).version}
latest = client.get_prompt(name, label='latest')
found['latest'] = [latest.version, latest.commit_message, latest.compile(name='Ann'), latest.tags]
client.update_prompt(name=name, version=2, new_labels=['production', 'b'])
found['moved'] = [client.get_prompt(name, cache_ttl_seconds=0).version, client.get_prompt(name, label='b').labels]
old = client.get_prompt(name, version=1)
found['old'] = [old.prompt, old.compile(name='Ann'), old.config, old.labels]

client.create_prompt(
    name='chat',
    type='chat',
    prompt=[
        {'role': 'system', 'content': f'@@@langfusePrompt:name={name}|label=production@@@ Be kind.'},
        {'role': 'user', 'content': '{{question}}'},
    ],
    labels=['production'],
)
chat = client.get_prompt('chat', type='chat')
found['chat'] = [[m['role'], m['content']] for m in chat.compile(name='Ann', question='Why?')]
found['fallback'] = client.get_prompt('nowhere', fallback='else {{x}}', max_retries=1).compile(x='1')
found['elsewhere'] = client.get_prompt('elsewhere', label='latest').compile(name='Ann')
listed = (client.api if hasattr(client, 'api') else client.client).prompts.list()
found['listed'] = {prompt.name: [prompt.versions, prompt.labels, prompt.tags] for prompt in listed.data}
client.shutdown()
report(found)
