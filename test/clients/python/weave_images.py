"""The weave Python SDK asking for images of a provider: it publishes the provider, asks, and reads the call and its
files back. PROJECT names the project, PROVIDER_URL where the provider is. Reports what it saw.
"""

import guard  # noqa: F401, I001

import os

import weave
from weave.type_wrappers.Content.content import Content

from result import report

client = weave.init(os.environ['PROJECT'])
server = client.server
found = {}


def publish(object_id, kind, val):
    server.obj_create(
        {'obj': {'project_id': client.project_id, 'object_id': object_id, 'val': val, 'builtin_object_class': kind}}
    )


publish(
    'studio',
    'Provider',
    {'name': 'studio', 'base_url': f'{os.environ["PROVIDER_URL"]}/v1', 'api_key_name': 'STUDIO_KEY'},
)
publish('studio-best', 'ProviderModel', {'name': 'inline', 'provider': 'studio', 'max_tokens': 1})

request = {
    'project_id': client.project_id,
    'inputs': {'model': 'custom::studio::best', 'prompt': 'a cat, żółć 🧵', 'n': 2},
}
made = server.image_create(request)
found['prompts'] = [item['revised_prompt'] for item in made.response['data']]
call = client.get_call(made.weave_call_id)
images = [item['image'] for item in call.output['data']]
found['images'] = [[isinstance(image, Content), image.mimetype, image.data[1:4].decode()] for image in images]
found['inputs'] = dict(call.inputs)
found['usage'] = dict(call.summary['usage']['inline'])

failed = server.image_create({**request, 'inputs': {'model': 'studio/500', 'prompt': 'x'}})
found['error'] = failed.response['error']['code']
found['exception'] = client.get_call(failed.weave_call_id).exception

client.finish()
report(found)
