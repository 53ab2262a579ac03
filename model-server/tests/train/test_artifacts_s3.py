"""Checkpoints, states and data in an S3-compatible store."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Iterator
from socketserver import BaseRequestHandler, TCPServer

import pytest
from node import TrainingNode, conversation, kind, sft
from served import until
from small_s3 import IDENTITY, TEMPORARY, SmallS3
from test_train_service import trainers

from heddle.node.v1 import node_pb2, train_pb2 as pb
from heddle_model_server.artifacts.s3 import PART, S3Store, client
from heddle_model_server.errors import NodeError
from heddle_model_server.artifacts.folders import Folders
from heddle_model_server.artifacts.store import open_store
from heddle_model_server.train.errors import TrainingError


def folders(address: str) -> Folders:
    return Folders(open_store(address))


@pytest.fixture(scope="module")
def s3():
    store = SmallS3()
    yield store
    store.close()


@pytest.fixture
def access(monkeypatch) -> Iterator[Callable[..., None]]:
    """Lets this process reach the store at an endpoint, as its environment tells."""

    def reach(endpoint: str, key_id: str = "me", secret: str = "secret", session_token: str = "") -> None:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", key_id)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
        monkeypatch.setenv("AWS_SESSION_TOKEN", session_token)
        client.cache_clear()

    yield reach
    client.cache_clear()


@pytest.fixture
def reached(access, s3) -> None:
    access(s3.endpoint)


def test_objects_are_written_listed_and_removed(reached, tmp_path):
    store = S3Store("bucket", "some/where")
    names = [f"a/{i} ü&.txt" for i in range(7)]
    for name in names:
        store.write(name, name.encode())
    S3Store("bucket", "some/whereelse").write("a/x", b"")
    assert store.names("a/") == names and store.names("b") == []
    assert store.read(names[3], 100) == names[3].encode() and store.read("none", 100) is None
    assert store.save(names[2], tmp_path / "file") and (tmp_path / "file").read_bytes() == names[2].encode()
    assert not store.save("none", tmp_path / "file")
    store.delete(names[0])
    store.delete(names[0])
    assert store.names("") == names[1:]


def test_a_folder_is_whole_when_its_manifest_is_there(reached):
    artifacts = folders("s3://bucket/model")
    whole = artifacts.write("checkpoints/step1-a1", {"a": b"1", "b": b"22"}, {"step": 1})
    assert whole.address == "s3://bucket/model/checkpoints/step1-a1"
    assert artifacts.write("checkpoints/step1-a1", {"a": b"1", "b": b"22"}, {"step": 1}) == whole
    assert artifacts.manifest("checkpoints/step1-a1")["step"] == 1
    S3Store("bucket", "model").write("checkpoints/step2-a1/a", b"begun")
    assert (
        artifacts.begun("checkpoints") == ["step1-a1", "step2-a1"]
        and artifacts.manifest("checkpoints/step2-a1") is None
    )
    again = artifacts.write("checkpoints/step1-a1", {"a": b"2"}, {})
    assert again.manifest_sha256 != whole.manifest_sha256
    artifacts.remove("checkpoints/step1-a1")
    assert artifacts.begun("checkpoints") == ["step2-a1"]


def test_a_store_that_refuses_or_is_gone_says_so(reached, access, s3):
    control = S3Store("control", "")
    control.write("full", b"")
    artifacts = folders("s3://bucket/full")
    with pytest.raises(TrainingError, match="The artifact store can't be used") as error:
        artifacts.write("checkpoints/one", {"a": b"1"}, {})
    assert error.value.code == "ARTIFACTS_UNREACHABLE"
    control.delete("full")
    assert artifacts.manifest("checkpoints/one") is None
    access(s3.endpoint, key_id="you")
    with pytest.raises(TrainingError, match="status 403"):
        folders("s3://bucket/x").begun("state")
    access("http://127.0.0.1:9")
    with pytest.raises(TrainingError, match="doesn't answer"):
        folders("s3://bucket/x").begun("state")


def test_a_store_that_breaks_off_in_the_middle_of_a_list_says_so(access):
    class Broken(BaseRequestHandler):
        def handle(self):
            self.request.recv(2**16)
            self.request.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n<List")

    with TCPServer(("127.0.0.1", 0), Broken) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        access(f"http://127.0.0.1:{server.server_address[1]}")
        try:
            with pytest.raises(NodeError, match="doesn't answer"):
                S3Store("b", "p").names("x")
        finally:
            server.shutdown()


def test_an_object_larger_than_a_part_goes_in_parts(reached):
    store = S3Store("bucket", "large")
    content = bytes(range(256)) * (PART // 256) + b"end"
    store.write("object", content)
    assert store.read("object", len(content)) == content
    asked = S3Store("control", "").read("asked", 2**20).decode().splitlines()
    assert len([line for line in asked if line.startswith("PUT /bucket/large/object?") and "partNumber=" in line]) == 2
    with pytest.raises(ValueError, match="larger than expected"):
        store.read("object", PART)


@pytest.fixture
def by_identity(s3, tmp_path, monkeypatch) -> Iterator[None]:
    """What a pod's account gives it: a file with an identity, and a role; no keys."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3.endpoint)
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", s3.sts)
    monkeypatch.setenv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/heddle")
    monkeypatch.setenv("AWS_WEB_IDENTITY_TOKEN_FILE", str(tmp_path / "identity"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    client.cache_clear()
    yield
    client.cache_clear()


def test_without_keys_a_role_is_assumed_by_a_web_identity(by_identity, tmp_path):
    (tmp_path / "identity").write_text(IDENTITY)
    store = S3Store("bucket", "by-identity")
    store.write("a", b"content")
    assert store.read("a", 100) == b"content"


def test_no_key_is_in_what_is_said_of_a_refusal(by_identity, access, s3, tmp_path, caplog):
    caplog.set_level("INFO")
    (tmp_path / "identity").write_text("identity-of-another")
    keys = (s3.endpoint, "AKIAQUOTED", "a-secret", "a-token")
    for given, said in ((None, "No keys .* status 400"), (keys, "refused to take a: status 403")):
        if given:
            access(*given)
        with pytest.raises(NodeError, match=said) as error:
            S3Store("bucket", "p").write("a", b"x")
        text = "".join(traceback.format_exception(error.value)) + caplog.text
        for key in ("identity-of-another", "AKIAQUOTED", "a-secret", "a-token", *TEMPORARY.values()):
            assert key not in text


def test_a_job_reads_resumes_and_writes_there(model_folder, reached, s3, tmp_path):
    lines = [conversation(f"What is {i}?", f"It is {i}.") for i in range(4)]
    root = "s3://bucket/jobs"
    node = TrainingNode(model_folder, root, "--train-idle", "2", environment=s3.environment)
    try:
        request = sft(tmp_path, "far", lines, {"batch_size": 1, "learning_rate": 1e-3}, epochs=10, save_every=5)
        request.model_address = f"{root}/far"
        request.data.address = f"{root}/data/far.jsonl"
        S3Store("bucket", "jobs").write("data/far.jsonl", (tmp_path / "data/far.jsonl").read_bytes())
        events = []
        stream = node.train(request)
        for event in stream:
            events += [event] if event.number else []
            if event.number == 20:
                stream.cancel()
                break
        assert folders(request.model_address).begun("state")
        request.attempt, request.after = 2, 20
        events += node.told(request)
        assert [event.number for event in events] == list(range(1, 44))
        checkpoint = events[-2].checkpoint
        assert checkpoint.address == f"{root}/far/checkpoints/step1-a2" and kind(events[-1]) == "ended"
        node.stub.LoadAdapter(
            node_pb2.LoadAdapterRequest(
                adapter_id="far", address=checkpoint.address, manifest_sha256=checkpoint.manifest_sha256
            )
        )
        # And the next job begins with it.
        request.job_id, request.step, request.attempt, request.after = "next", 2, 1, 0
        request.start.CopyFrom(pb.WeightsRef(address=checkpoint.address, manifest_sha256=checkpoint.manifest_sha256))
        assert node.told(request)[-2].checkpoint.step == 2
        request.data.address = "s3://bucket/elsewhere/x"
        with pytest.raises(Exception, match="not below one of this node's artifact_roots"):
            node.told(request)
        # A trainer without work is ended.
        until(lambda: not trainers(node))
    finally:
        node.close()
