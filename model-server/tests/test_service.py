"""The node as workers see it: a process of its own behind gRPC."""

from __future__ import annotations

import subprocess
import sys

import grpc
import pytest
from served import PATIENCE, ServedNode, until
from wire import read, user, wire

from heddle.node.v1 import node_pb2 as pb, node_pb2_grpc
from heddle_model_server.__main__ import main

HELLO = "Hello! How can I help you today?"
LONG = {"messages": user("Hello!"), "ignore_eos": True, "max_tokens": 2000, "stream": True}


def report(node: ServedNode) -> pb.LoadReport:
    stream = node.stub.WatchLoad(pb.WatchLoadRequest())
    first = next(stream)
    stream.cancel()
    return first


@pytest.fixture(autouse=True)
def quiet(request):
    """Each test begins with every slot free: what a test before left in the middle ends with the next step."""
    if "served" in request.fixturenames:
        node = request.getfixturevalue("served")
        until(lambda: report(node).running == 0)


def code(error) -> str:
    return dict(error.value.trailing_metadata())["heddle-code"]


def test_a_stream_and_a_whole_answer_say_the_same(served):
    streamed = served.ask(messages=user("Hello!"), temperature=0.0, stream=True, logprobs=True, cache_salt="ours")
    whole = served.ask(messages=user("Hello!"), temperature=0.0, stream=False, logprobs=True, cache_salt="ours")
    kinds = [event.WhichOneof("event") for event in streamed.events]
    assert kinds[0] == "started" and kinds[-1] == "done" and set(kinds[1:-1]) == {"delta"}
    assert len(whole.events) == 3
    assert streamed.text == whole.text == HELLO
    assert streamed.first.tokens == whole.first.tokens
    assert len(whole.first.logprobs) == len(whole.first.tokens) == whole.done.usage.completion_tokens
    assert whole.done.usage.cached_tokens > 0
    assert 0 < whole.done.first_token_ms <= whole.done.total_ms


def test_the_tokens_of_a_prompt_are_counted_without_generating(served):
    asked = {"messages": user("Hello!"), "max_tokens": 1}
    counted = served.ask(**asked, count_only=True)
    assert [event.WhichOneof("event") for event in counted.events] == ["started", "done"]
    assert counted.done.usage.prompt_tokens == served.ask(**asked).done.usage.prompt_tokens > 0
    assert counted.done.usage.completion_tokens == 0
    # It may be longer than the context.
    assert served.ask(messages=user("Hello! " * 10_000), count_only=True).done.usage.prompt_tokens > 10_000


def test_tokens_come_as_they_are_made(served):
    stream = served.stub.Generate(wire(LONG))
    assert next(stream).WhichOneof("event") == "started"
    assert next(stream).delta.text
    assert report(served).running == 1
    stream.cancel()
    until(lambda: report(served).running == 0)


def test_a_caller_that_goes_away_and_an_abort_free_their_slots(served):
    free = report(served).free_slots
    streams = [served.stub.Generate(wire({**LONG, "request_id": f"gone{i}"})) for i in range(6)]
    for stream in streams:
        next(stream)
    assert report(served).free_slots == free - 6
    for stream in streams[:3]:
        stream.cancel()
    for i in range(3, 6):
        assert served.stub.Abort(pb.AbortRequest(request_id=f"gone{i}")).found
        last = list(streams[i])[-1]
        assert (last.error.code, last.error.status) == ("ABORTED", grpc.StatusCode.ABORTED.value[0])
    until(lambda: report(served).free_slots == free)
    assert not served.stub.Abort(pb.AbortRequest(request_id="gone3")).found


def test_a_deadline_ends_the_work(served):
    with pytest.raises(grpc.RpcError) as error:
        list(served.stub.Generate(wire({**LONG, "n": 8}), timeout=0.2))
    assert error.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    until(lambda: report(served).running == 0)


def test_tokens_as_a_prompt(served, reference):
    _, tokenizer = reference
    text = tokenizer.apply_chat_template(user("Hello!"), tokenize=False, add_generation_prompt=True)
    request = pb.GenerateRequest(stream=True)
    request.tokens.token_ids.extend(tokenizer(text, add_special_tokens=False)["input_ids"])
    request.sampling.temperature = 0.0
    assert read(list(served.stub.Generate(request))).text == HELLO
    request.tokens.token_ids.append(10**6)
    with pytest.raises(grpc.RpcError) as error:
        list(served.stub.Generate(request))
    assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    "fields, expected, field",
    [
        ({"top_p": 2.0}, "BAD_FIELD", "top_p"),
        ({"messages": []}, "BAD_MESSAGES", "messages"),
        ({"messages": user("half a character: \ud800")}, "BAD_MESSAGES", "messages"),
        ({"structured_outputs": {"regex": "("}}, "BAD_STRUCTURE", "structured_outputs.regex"),
        ({"messages": user("What is a loom? " * 600)}, "PROMPT_TOO_LONG", "messages"),
        (
            {"chat_template": "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"},
            "BAD_TEMPLATE",
            "chat_template",
        ),
        ({"chat_template": "{% for i in range(9999) %}{{ 'x' * 99999 }}{% endfor %}"}, "BAD_TEMPLATE", "chat_template"),
        ({"chat_template": "{{ 'x' * 10**10 }}"}, "BAD_TEMPLATE", "chat_template"),
    ],
)
def test_refused_requests_leave_the_node_well(served, fields, expected, field):
    with pytest.raises(grpc.RpcError) as error:
        served.ask(**{"messages": user("Hello!"), **fields})
    assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert code(error) == expected
    assert dict(error.value.trailing_metadata())["heddle-field"] == field
    assert error.value.details().endswith(".")
    assert served.ask(messages=user("Hello!"), temperature=0.0).text == HELLO


def test_info_health_and_load(served):
    info = served.stub.Info(pb.InfoRequest())
    assert (info.engine, info.context_length, info.slots, info.priority_scheduling) == ("cpu", 2048, 32, True)
    assert set(info.unsupported_fields) >= {"kv_transfer_params", "mm_processor_kwargs"}
    health = served.stub.Health(pb.HealthRequest())
    assert 0 <= health.token_id < info.vocabulary and health.latency_ms > 0
    until(lambda: report(served).running == 0)
    load = report(served)
    assert (load.state, load.free_slots) == (pb.NODE_STATE_SERVING, 32)
    assert load.memory_bytes > 0 and load.generated_tokens_total > 0


def test_health_answers_while_every_slot_is_taken(served):
    streams = [served.stub.Generate(wire({**LONG, "n": 8})) for _ in range(5)]
    until(lambda: report(served).free_slots == 0)
    assert served.stub.Health(pb.HealthRequest(), timeout=PATIENCE).latency_ms > 0
    for stream in streams:
        stream.cancel()
    until(lambda: report(served).running == 0)


def test_watching_is_told_of_changes_at_once(served, tmp_path):
    from test_adapters import adapter_files, write

    write(tmp_path / "one", adapter_files(1))
    stream = served.stub.WatchLoad(pb.WatchLoadRequest(interval_ms=60_000))
    assert list(next(stream).adapter_ids) == []
    served.stub.LoadAdapter(pb.LoadAdapterRequest(adapter_id="one", address=str(tmp_path / "one")))
    assert list(next(stream).adapter_ids) == ["one"]
    served.stub.UnloadAdapter(pb.UnloadAdapterRequest(adapter_id="one"))
    assert list(next(stream).adapter_ids) == []
    stream.cancel()


def test_a_token_and_tls(model_folder, tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True,
        capture_output=True,
    )
    node = ServedNode(
        model_folder,
        "--tls-cert",
        str(certificate),
        "--tls-key",
        str(key),
        environment={"HEDDLE_NODE_TOKEN": "open sesame"},
    )
    try:
        credentials = grpc.ssl_channel_credentials(certificate.read_bytes())
        with grpc.secure_channel(node.address, credentials) as channel:
            stub = node_pb2_grpc.NodeServiceStub(channel)
            for metadata in ([], [("authorization", "Bearer wrong")]):
                with pytest.raises(grpc.RpcError) as error:
                    stub.Info(pb.InfoRequest(), metadata=metadata)
                assert (error.value.code(), code(error)) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
                for call in (
                    stub.Generate(wire(LONG), metadata=metadata),
                    stub.GenerateTogether(iter(()), metadata=metadata),
                ):
                    with pytest.raises(grpc.RpcError) as error:
                        list(call)
                    assert error.value.code() == grpc.StatusCode.UNAUTHENTICATED
            right = [("authorization", "Bearer open sesame")]
            assert stub.Info(pb.InfoRequest(), metadata=right).engine == "cpu"
            assert (
                read(list(stub.Generate(wire({"messages": user("Hello!"), "temperature": 0.0}), metadata=right))).text
                == HELLO
            )
        # Without TLS there is nobody.
        with pytest.raises(grpc.RpcError):
            node.stub.Info(pb.InfoRequest(), timeout=PATIENCE)
    finally:
        node.close()


@pytest.mark.parametrize("model, why", [("none", "model folder not found"), (".", "can't start")])
def test_a_node_that_can_not_start_says_why(tmp_path, monkeypatch, capsys, model, why):
    monkeypatch.setattr(sys, "argv", ["serve", "serve", "--model", str(tmp_path / model), "--listen", "127.0.0.1:0"])
    monkeypatch.setattr("os.umask", lambda _: 0)
    assert main() == 1
    said = capsys.readouterr().err
    assert why in said and "Traceback" not in said


@pytest.mark.parametrize("flag", ["--tool-parser", "--reasoning-parser"])
def test_parsers_of_vllm_are_refused_on_the_cpu_engine(model_folder, monkeypatch, capsys, flag):
    monkeypatch.setattr(
        sys, "argv", ["serve", "serve", "--model", str(model_folder), flag, "hermes", "--engine", "cpu"]
    )
    monkeypatch.setattr("os.umask", lambda _: 0)
    assert main() == 1
    assert "tool_parser and reasoning_parser name vLLM's parsers" in capsys.readouterr().err
