"""Checkpoints, states and data in an S3-compatible store."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from socketserver import BaseRequestHandler, TCPServer

import pytest
from node import TrainingNode, conversation, kind, sft
from small_s3 import SmallS3

from heddle.node.v1 import node_pb2
from heddle.node.v1 import train_pb2 as pb
from heddle_model_server.adapters.s3 import S3Access, S3Store, query_text, signed
from heddle_model_server.errors import NodeError
from heddle_model_server.train.artifacts import open_artifacts
from heddle_model_server.train.errors import TrainingError


@pytest.fixture(scope="module")
def s3():
    store = SmallS3()
    yield store
    store.close()


@pytest.fixture
def access(s3) -> S3Access:
    return S3Access(endpoint=s3.endpoint, key_id="me", secret="secret")


def test_requests_with_a_query_are_signed_as_the_documentation_of_s3_shows():
    """Its examples: the lifecycle of a bucket, and a list of objects."""
    access = S3Access(key_id="AKIAIOSFODNN7EXAMPLE", secret="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    at = datetime(2013, 5, 24, tzinfo=UTC)
    for query, signature in (
        ({"lifecycle": ""}, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ({"prefix": "J", "max-keys": "2"}, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ):
        url = f"https://examplebucket.s3.amazonaws.com/{query_text(query)}"
        assert signed(url, access, at)["authorization"].endswith(f"Signature={signature}")


def test_objects_are_written_listed_and_removed(access, tmp_path):
    store = S3Store("bucket", "some/where", access)
    names = [f"a/{i} ü&.txt" for i in range(7)]
    for name in names:
        store.write(name, name.encode())
    S3Store("bucket", "some/whereelse", access).write("a/x", b"")
    assert store.names("a/") == names and store.names("b") == []
    assert store.read(names[3], 100) == names[3].encode() and store.read("none", 100) is None
    assert store.save(names[2], tmp_path / "file") and (tmp_path / "file").read_bytes() == names[2].encode()
    assert not store.save("none", tmp_path / "file")
    store.delete(names[0])
    store.delete(names[0])
    assert store.names("") == names[1:]


def test_a_folder_is_whole_when_its_manifest_is_there(access):
    artifacts = open_artifacts("s3://bucket/model", access)
    whole = artifacts.write("checkpoints/step1-a1", {"a": b"1", "b": b"22"}, {"step": 1})
    assert whole.address == "s3://bucket/model/checkpoints/step1-a1"
    assert artifacts.write("checkpoints/step1-a1", {"a": b"1", "b": b"22"}, {"step": 1}) == whole
    assert artifacts.manifest("checkpoints/step1-a1")["step"] == 1
    S3Store("bucket", "model", access).write("checkpoints/step2-a1/a", b"begun")
    assert artifacts.whole("checkpoints") == ["step1-a1"] and artifacts.manifest("checkpoints/step2-a1") is None
    again = artifacts.write("checkpoints/step1-a1", {"a": b"2"}, {})
    assert again.manifest_sha256 != whole.manifest_sha256
    artifacts.remove("checkpoints/step1-a1")
    assert artifacts.whole("checkpoints") == []


def test_a_store_that_refuses_or_is_gone_says_so(access, s3):
    control = S3Store("control", "", access)
    control.write("full", b"")
    artifacts = open_artifacts("s3://bucket/full", access)
    with pytest.raises(TrainingError, match="The artifact store can't be used") as error:
        artifacts.write("checkpoints/one", {"a": b"1"}, {})
    assert error.value.code == "ARTIFACTS_UNREACHABLE"
    control.delete("full")
    assert artifacts.whole("checkpoints") == []
    with pytest.raises(TrainingError, match="status 403"):
        open_artifacts("s3://bucket/x", S3Access(endpoint=s3.endpoint, key_id="you", secret="x")).whole("state")
    with pytest.raises(TrainingError, match="doesn't answer"):
        open_artifacts("s3://bucket/x", S3Access(endpoint="http://127.0.0.1:9", key_id="me")).whole("state")


def test_a_store_that_breaks_off_in_the_middle_of_a_list_says_so():
    class Broken(BaseRequestHandler):
        def handle(self):
            self.request.recv(2**16)
            self.request.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n<List")

    with TCPServer(("127.0.0.1", 0), Broken) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with pytest.raises(NodeError, match="doesn't answer"):
                S3Store("b", "p", S3Access(endpoint=f"http://127.0.0.1:{server.server_address[1]}")).names("x")
        finally:
            server.shutdown()


def test_a_job_reads_resumes_and_writes_there(model_folder, access, s3, tmp_path):
    lines = [conversation(f"What is {i}?", f"It is {i}.") for i in range(4)]
    root = "s3://bucket/jobs"
    node = TrainingNode(model_folder, root, environment=s3.environment)
    try:
        request = sft(tmp_path, "far", lines, {"batch_size": 1, "learning_rate": 1e-3}, epochs=10, save_every=5)
        request.model_address = f"{root}/far"
        request.data.address = f"{root}/data/far.jsonl"
        S3Store("bucket", "jobs", access).write("data/far.jsonl", (tmp_path / "data/far.jsonl").read_bytes())
        events = []
        stream = node.train(request)
        for event in stream:
            events += [event] if event.number else []
            if event.number == 20:
                stream.cancel()
                break
        assert open_artifacts(request.model_address, access).whole("state")
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
        with pytest.raises(Exception, match="not below a place"):
            node.told(request)
    finally:
        node.close()
