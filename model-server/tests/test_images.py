"""Images in chat: how they reach vLLM, what they count as, and what is refused."""

from __future__ import annotations

import asyncio
import queue
import sys
from types import SimpleNamespace

import pytest
from heddle.node.v1 import node_pb2 as pb
from served import PATIENCE
from test_vllm_faults import StandIn, engine_module, over_stand_in  # noqa: F401

from heddle_model_server.chat.messages import messages_of
from heddle_model_server.errors import NodeError
from heddle_model_server.node.prepare import RequestPreparer
from heddle_model_server.request import Delta, Done, Params, Request, Started

TEMPLATE = (
    "{% for message in messages %}{% if message.content is string %}{{ message.content }}{% else %}"
    "{% for part in message.content %}{{ '<image>' if part.type == 'image' else part.text }}{% endfor %}{% endif %}{% endfor %}"
)
MESSAGES = '[{"role": "user", "content": [{"type": "text", "text": "What is "}, {"type": "image"}, "?"]}]'


class SeeingStandIn(StandIn):
    """As AsyncLLM with a model that takes images: each becomes four tokens."""

    vllm_config = SimpleNamespace(
        **{
            **vars(StandIn.vllm_config),
            "model_config": SimpleNamespace(dtype="float32", max_model_len=512, is_multimodal_model=True),
        }
    )

    def __init__(self):
        super().__init__()
        self.prompts: list[dict] = []

    async def add_request(self, request_id, prompt, params, lora_request=None, priority=0):
        self.prompts.append(prompt)
        choice = SimpleNamespace(index=0, token_ids=[5], logprobs=None, finish_reason="length", stop_reason=None)
        expanded = prompt["prompt_token_ids"] + [0] * 4 * len(prompt.get("multi_modal_data", {}).get("image", []))
        output = SimpleNamespace(
            outputs=[choice], finished=True, num_cached_tokens=0, prompt_logprobs=None, prompt_token_ids=expanded
        )
        return SimpleNamespace(output=output, request_id=request_id, put=None)

    async def abort(self, request_id, internal):
        await asyncio.sleep(0)


def seeing(node):
    """The demo model, as if it were made for images."""
    model = node.loaded
    return SimpleNamespace(
        **{
            name: getattr(model, name)
            for name in ("name", "tokenizer", "generation", "context", "vocabulary", "eos", "special", "type")
        },
        embedding=None,
        sees=True,
    )


def test_an_image_goes_to_vllm_with_its_place_and_counts_as_its_tokens(node, over_stand_in, monkeypatch):  # noqa: F811
    monkeypatch.setattr(engine_module, "decoded", lambda files: [f"image of {file}" for file in files])
    vllm = SeeingStandIn()
    engine = over_stand_in(seeing(node), vllm)
    assert engine.facts.images
    preparer = RequestPreparer(seeing(node), engine.facts)
    request = pb.GenerateRequest(request_id="one")
    request.chat.messages_json = MESSAGES
    request.chat.chat_template = TEMPLATE
    request.chat.images.add(data=b"png")
    prepared = preparer.prepare(request).request
    assert node.loaded.tokenizer.decode(prepared.prompt) == "What is <image>?"
    events: queue.Queue = queue.Queue()
    engine.submit(prepared, events.put)
    started, delta, done = (events.get(timeout=PATIENCE) for _ in range(3))
    assert (type(started), type(delta), type(done)) == (Started, Delta, Done)
    assert vllm.prompts[0]["multi_modal_data"] == {"image": ["image of b'png'"]}
    assert started.prompt_tokens == done.prompt_tokens == len(prepared.prompt) + 4
    engine.submit(Request("two", [1], Params(max_tokens=1)), events.put)
    while not isinstance(events.get(timeout=PATIENCE), Done):
        pass
    assert "multi_modal_data" not in vllm.prompts[1]


def test_an_image_that_can_t_be_read_is_an_error_of_its_request(node, over_stand_in, monkeypatch):  # noqa: F811
    def damaged(*_, **__):
        raise OSError

    # As the library that vLLM brings.
    monkeypatch.setitem(sys.modules, "PIL", SimpleNamespace(Image=SimpleNamespace(open=damaged)))
    engine = over_stand_in(seeing(node), SeeingStandIn())
    events: queue.Queue = queue.Queue()
    engine.submit(Request("one", [1], Params(max_tokens=1), images=(b"no image",)), events.put)
    failed = events.get(timeout=PATIENCE)
    assert failed.error.code == "BAD_IMAGE" and engine.idle


@pytest.mark.parametrize(
    "facts, more, code",
    [
        ({"images": False}, {}, "NO_IMAGES"),
        ({"images": True}, {"count_only": True}, "UNSUPPORTED_FIELD"),
        ({"images": True}, {"reporting": pb.Reporting(prompt_logprobs=1)}, "UNSUPPORTED_FIELD"),
    ],
)
def test_what_can_t_be_done_with_images_is_refused(node, facts, more, code):
    preparer = RequestPreparer(
        node.loaded,
        SimpleNamespace(
            **{name: getattr(node.engine.facts, name) for name in ("context", "vocabulary", "priorities")}, **facts
        ),
    )
    request = pb.GenerateRequest(chat=pb.ChatPrompt(messages_json=MESSAGES, images=[pb.Image(data=b"x")]), **more)
    with pytest.raises(NodeError) as refused:
        preparer.prepare(request)
    assert refused.value.code == code


def test_parts_and_images_have_to_match():
    assert messages_of(MESSAGES, 1)[0]["content"] == [
        {"type": "text", "text": "What is "},
        {"type": "image"},
        {"type": "text", "text": "?"},
    ]
    for images, why in ((0, "only text"), (2, "1 parts for the 2 images")):
        with pytest.raises(NodeError, match=why):
            messages_of(MESSAGES, images)
