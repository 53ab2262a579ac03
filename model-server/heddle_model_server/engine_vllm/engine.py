"""The engine for GPUs: vLLM's AsyncLLM in this process, on an event loop of its own. vLLM computes in processes of its own."""

import asyncio
import logging
import os
import secrets
import shlex
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import torch

from ..artifacts.peft_files import CONFIG, WEIGHTS, invalid, read_config, scaling_of
from ..chat.beam_search import BeamSearch
from ..embedding import EmbeddingAnswer
from ..engine import Engine, EngineFacts, LoadedAdapter
from ..errors import NodeError, one_line
from ..model import Model
from ..request import Embed, Event, Failed, Request
from ..settings import NodeSettings
from .answer import Answer, token_logprob
from .images import decoded
from .output_parser import output_parsers
from .reaper import Reaper
from .sampling_params import beam_params, sampling_params
from .sleep_level import bytes_of_weights, free_memory, sleep_level

log = logging.getLogger(__name__)

POLL_SECONDS = 0.5
# How often vLLM is asked to wake before the node ends.
WAKE_TRIES = 3
WAKE_PAUSE_SECONDS = 1.0


class VllmEngine(Engine):
    def __init__(
        self,
        model: Model,
        settings: NodeSettings,
        flush: Callable[[], None] = lambda: None,
        died: Callable[[], None] = lambda: None,
        sleeps: bool = False,
    ):
        """Returns when vLLM has loaded the model. sleeps: whether `sleep` will be called. died: called
        on the engine's thread if vLLM ends unexpectedly. Raises RuntimeError or ValueError if it can't start."""
        from vllm import __version__

        super().__init__(settings, flush)
        # Before anything is loaded, so that a wrong name is reported at once.
        self.output_parsers = None if model.embedding else output_parsers(model, settings)
        self._model = model
        self._died = died
        self._last_event_at = 0.0
        self._asleep = self._flushing = False
        self._sleep_level = 1
        self._has_backup = False
        # Set while the weights are where vLLM expects them. For the engine's thread.
        self._awake = asyncio.Event()
        self._awake.set()
        self._adapters = 0
        self._folders = Path(tempfile.mkdtemp(prefix="heddle-adapters-"))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="engine", daemon=True)
        self._thread.start()
        # A fork of this process would have its threads' locks, without the threads. `vllm serve` asks for the same.
        os.environ["VLLM_WORKER_MULTIPROC_METHOD"] = "spawn"
        self._reaper = Reaper()
        try:
            self._llm = self._call(self._open(sleeps)).result()
        except Exception:
            self._reaper.close()
            shutil.rmtree(self._folders, ignore_errors=True)
            raise
        config = self._llm.vllm_config
        if self.output_parsers is not None:
            self.output_parsers.model_config = config.model_config
        blocks = config.cache_config.num_gpu_blocks or 0
        self.facts = EngineFacts(
            engine="vllm",
            version=__version__,
            device=torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
            dtype=str(config.model_config.dtype).removeprefix("torch."),
            context=config.model_config.max_model_len,
            vocabulary=model.vocabulary,
            parameters=0,
            slots=config.scheduler_config.max_num_seqs,
            cache_tokens=blocks * config.cache_config.block_size,
            priorities=settings.scheduling == "priority",
            images=model.sees and getattr(config.model_config, "is_multimodal_model", False),
        )
        self._call(self._watch())

    async def _open(self, sleeps: bool):
        from vllm.engine.arg_utils import AsyncEngineArgs
        from vllm.usage.usage_lib import UsageContext
        from vllm.utils.argparse_utils import FlexibleArgumentParser
        from vllm.v1.engine.async_llm import AsyncLLM

        parser = AsyncEngineArgs.add_cli_args(FlexibleArgumentParser())
        arguments = AsyncEngineArgs.from_cli_args(
            parser.parse_args(engine_arguments(self.settings, sleeps, self._model.embedding is not None))
        )
        return AsyncLLM.from_engine_args(arguments, usage_context=UsageContext.OPENAI_API_SERVER)

    def _call(self, work) -> Future:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    # -- called from other threads ----------------------------------------------------------------------------------

    def _take(self, request: Request | Embed, send: Callable[[Event], None]) -> None:
        try:
            params = self._params(request)
        except ValueError as error:
            raise NodeError("BAD_FIELD", f"vLLM refused the request: {one_line(error)}") from error
        # Without a salt vLLM would share prefixes between all requests.
        request.cache_salt = request.cache_salt or secrets.token_hex(16)
        self.counts.requests += 1
        self._last_event_at = self._last_event_at if self._requests else time.monotonic()
        self._requests[request.id] = None
        self._loop.call_soon_threadsafe(self._begin, request, params, send)

    def _params(self, request: Request | Embed):
        if isinstance(request, Embed):
            from vllm.pooling_params import PoolingParams

            return PoolingParams(task="embed", dimensions=request.dimensions)
        return beam_params(request) if request.params.beam else sampling_params(request, self._model.tokenizer)

    def _begin(self, request: Request | Embed, params, send: Callable[[Event], None]) -> None:
        self._requests[request.id] = asyncio.ensure_future(self._work(request, params, send))

    def abort(self, request_id: str) -> bool:
        if request_id not in self._requests:
            return False
        self._loop.call_soon_threadsafe(lambda: self._cancel([self._requests.get(request_id)]))
        return True

    def read_adapter(self, files: dict[str, bytes]) -> dict[str, bytes]:
        """See Engine.read_adapter: the files themselves, which vLLM reads."""
        if read_config(files)["r"] > self.settings.max_adapter_rank:
            raise invalid(f"its rank is above this node's {self.settings.max_adapter_rank}")
        return files

    def add_adapter(self, name: str, files: dict[str, bytes]) -> Future:
        return self._call(self._add_adapter(name, files))

    async def _add_adapter(self, name: str, files: dict[str, bytes]) -> LoadedAdapter:
        # Its number never comes again.
        self._adapters += 1
        config = read_config(files)
        scaling = scaling_of(config, config["lora_alpha"], config["r"])
        adapter = LoadedAdapter(name, self._adapters, config["r"], scaling, len(files[WEIGHTS]))
        folder = self._folder_of(adapter)
        folder.mkdir()
        for part in (CONFIG, WEIGHTS):
            await asyncio.to_thread((folder / part).write_bytes, files[part])
        # vLLM would write into memory that it has given back. Nothing is awaited between this and the request to it, so that a
        # sleep comes behind.
        await self._awake.wait()
        try:
            await self._llm.add_lora(self._lora_request(adapter))
        except Exception as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise invalid(f"vLLM refused it ({one_line(error)})") from error
        return adapter

    def _folder_of(self, adapter: LoadedAdapter) -> Path:
        return self._folders / str(adapter.number)

    def _lora_request(self, adapter: LoadedAdapter):
        from vllm.lora.request import LoRARequest

        return LoRARequest(adapter.name, adapter.number, str(self._folder_of(adapter)))

    def remove_adapter(self, adapter: LoadedAdapter) -> Future:
        async def remove() -> None:
            await self._awake.wait()
            await self._llm.remove_lora(adapter.number)
            shutil.rmtree(self._folder_of(adapter), ignore_errors=True)

        return self._call(remove())

    def sleep(self) -> Future:
        """See Engine.sleep: the cache is dropped; of the weights see sleep_level."""
        self._asleep = True
        return self._call(self._sleep())

    async def _sleep(self) -> None:
        self._awake.clear()
        # vLLM keeps the host memory of an earlier sleep at level 1 for the next one.
        if not self._has_backup:
            weights = await asyncio.to_thread(bytes_of_weights, self.settings.model)
            self._sleep_level = sleep_level(weights, free_memory())
            self._has_backup = self._sleep_level == 1
        await self._llm.sleep(level=self._sleep_level, mode="wait")

    def wake(self) -> Future:
        return self._call(self._wake())

    async def _wake(self) -> None:
        for left in reversed(range(WAKE_TRIES)):
            try:
                if self._sleep_level == 2:
                    await self._llm.wake_up(tags=["weights"])
                    await self._llm.collective_rpc("reload_weights")
                    await self._llm.wake_up(tags=["kv_cache"])
                else:
                    await self._llm.wake_up()
                break
            except Exception as error:
                log.error("vLLM can't get its memory back: %s", one_line(error))
                if not left or self._llm.errored:
                    # Nothing here can help it, and it never serves again: the node ends, and its supervisor starts both anew.
                    self._broken = gone()
                    self._died()
                    raise
                await asyncio.sleep(WAKE_PAUSE_SECONDS)
        self._asleep = False
        self._awake.set()
        self._last_event_at = time.monotonic()

    def stuck_for(self) -> float:
        """Seconds since any request made progress; 0 without requests, and while they wait for `wake`."""
        return time.monotonic() - self._last_event_at if self._requests and not self._asleep else 0.0

    def stop(self) -> None:
        self._draining, self._broken = True, gone()
        self._call(self._close()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._reaper.close()
        shutil.rmtree(self._folders, ignore_errors=True)

    # -- on the engine's thread -------------------------------------------------------------------------------------

    async def _close(self) -> None:
        await asyncio.gather(*self._cancel(self._requests.values()), return_exceptions=True)
        self._flush()
        self._llm.shutdown()

    async def _watch(self) -> None:
        while self._broken is None and not self._llm.errored:
            await asyncio.sleep(POLL_SECONDS)
        if self._broken is None:
            log.error("vLLM ended unexpectedly")
            self._broken = gone()
            # vLLM tells only those whose requests had reached it.
            self._cancel(self._requests.values())
            self._died()

    @staticmethod
    def _cancel(found: Iterable[asyncio.Task | None]) -> list[asyncio.Task]:
        """Those that have begun."""
        tasks = [task for task in found if task is not None]
        for task in tasks:
            task.cancel()
        return tasks

    def _flush_events(self) -> None:
        self._flushing = False
        self._flush()

    async def _work(self, request: Request | Embed, params, send: Callable[[Event], None]) -> None:
        embeds = isinstance(request, Embed)
        answer = EmbeddingAnswer(request) if embeds else Answer(request, self._model)

        def tell(*events: Event) -> None:
            self._last_event_at = time.monotonic()
            for event in events:
                send(event)
            if events and not self._flushing:
                # Once for all requests that got a token in this step.
                self._flushing = True
                self._loop.call_soon(self._flush_events)

        try:
            if not embeds and request.images:
                request.images = await asyncio.to_thread(decoded, request.images)
            if embeds:
                await self._vectors(request, params, lambda at, values: tell(*answer.events(at, values)))
            elif request.params.beam:
                tell(*answer.beams(await self._beams(request, params)))
            else:
                await self._outputs(request, params, lambda output: tell(*answer.events(output)) or answer.over)
            last: Event = answer.end()
        except asyncio.CancelledError:
            aborted = NodeError("ABORTED", "The caller aborted the request.")
            last = Failed(died_with() if self._llm.errored else aborted)
        except NodeError as error:
            last = Failed(error)
        except ValueError as error:
            last = Failed(NodeError("BAD_FIELD", f"vLLM refused the request: {one_line(error)}"))
        except Exception as error:
            log.warning("a request to vLLM failed: %r", error)
            failed = NodeError("UNHEALTHY", "This node's vLLM failed; send the request again.")
            last = Failed(died_with() if self._llm.errored else failed)
        self.counts.cached_tokens += answer.cached
        self.counts.generated_tokens += answer.generated
        self.counts.prompt_tokens += answer.prompt_tokens
        # Before the last event: its receiver may reuse the id.
        self._requests.pop(request.id, None)
        tell(last)

    async def _outputs(self, request: Request, params, take: Callable[[Any], bool]) -> None:
        """Calls `take` with each of vLLM's outputs, until it returns true. That happens in vLLM's own task: to wake a task of
        the request for each token, as vLLM's `generate` does, takes half as long again."""
        over = self._loop.create_future()
        finished = False

        def put(output) -> None:
            nonlocal finished
            if over.done():
                return
            if isinstance(output, Exception):
                over.set_exception(RuntimeError(f"vLLM failed: {output!r}"))
                return
            finished = output.finished
            try:
                if take(output) or finished:
                    over.set_result(None)
            except Exception as error:
                over.set_exception(error)

        queue = await self._llm.add_request(request.id, prompt_of(request, []), params, **self._more(request))
        try:
            first, queue.put = queue.output, put
            if first is not None:
                put(first)
            await over
        finally:
            if not finished:
                await self._llm.abort(queue.request_id, internal=True)

    async def _vectors(self, request: Embed, params, take: Callable[[int, bytes], None]) -> None:
        """Calls `take` with the place of each text and its vector's values."""
        # More at once would only wait in vLLM.
        places = asyncio.Semaphore(self.facts.slots)

        async def one(at: int, tokens: list[int]) -> None:
            async with places:
                prompt = {"prompt_token_ids": tokens, "cache_salt": request.cache_salt}
                priority = request.priority if self.facts.priorities else 0
                name = f"{request.id}-{at}"
                async for output in self._llm.encode(prompt, params, name, priority=priority):
                    take(at, output.outputs.data.float().cpu().numpy().astype("<f4").tobytes())

        try:
            # What is left ends with the first that fails.
            async with asyncio.TaskGroup() as group:
                for at, tokens in enumerate(request.prompts):
                    group.create_task(one(at, tokens))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures

    def _more(self, request: Request) -> dict[str, Any]:
        adapter = request.adapter
        return {
            "lora_request": self._lora_request(adapter) if adapter is not None else None,
            "priority": request.priority if self.facts.priorities else 0,
        }

    async def _beams(self, request: Request, params) -> list:
        """The deltas of a beam search: each step asks for one more token of every beam."""
        search = BeamSearch(request, self._model)
        count = 0

        async def next_tokens(tokens: list[int], number: int) -> dict:
            prompt = prompt_of(request, tokens)
            async for output in self._llm.generate(prompt, params, f"{request.id}-{number}", **self._more(request)):
                known = output.outputs[0].logprobs[0]
            self._last_event_at = time.monotonic()
            return known

        while not search.over:
            numbers = range(count, count := count + len(search.present))
            steps = await asyncio.gather(*map(next_tokens, (beam.tokens for beam in search.present), numbers))
            candidates = [[(token, one.logprob) for token, one in known.items()] for known in steps]
            report = lambda parent, token, steps=steps: token_logprob(token, steps[parent], request.params.logprobs)
            search.go_on(search.branch(candidates, report))
        return search.deltas()


def gone() -> NodeError:
    """vLLM has ended."""
    return NodeError("UNHEALTHY", "This node's vLLM is gone; send the request again.")


def died_with() -> NodeError:
    """vLLM ended while it worked on the request, which may be the reason."""
    return NodeError("ENGINE_DIED", "This node's vLLM ended while it worked on the request.")


def prompt_of(request: Request, tokens: list[int]) -> dict:
    """The request's prompt as vLLM takes it, with its images decoded. tokens: what follows it."""
    prompt = {"prompt_token_ids": request.prompt + tokens, "cache_salt": request.cache_salt}
    return {**prompt, "multi_modal_data": {"image": request.images}} if request.images else prompt


def engine_arguments(settings: NodeSettings, sleeps: bool, embeds: bool = False) -> list[str]:
    """Arguments as of `vllm serve`; what isn't said has vLLM's defaults for the model and the card."""
    given = ["--model", settings.model, "--dtype", settings.dtype]
    given += ["--runner", "pooling" if embeds else "generate"]
    # Sampling defaults come from the node.
    given += ["--generation-config", "vllm", "--max-logprobs", "-1"]
    # The node writes its grammars for this library.
    given += ["--structured-outputs-config", '{"backend": "guidance"}']
    given += ["--enable-prefix-caching" if settings.prefix_cache else "--no-enable-prefix-caching"]
    given += ["--scheduling-policy", settings.scheduling]
    given += ["--disable-log-stats"]
    if sleeps:
        given += ["--enable-sleep-mode"]
    if settings.slots:
        given += ["--max-num-seqs", str(settings.slots)]
    if settings.context:
        given += ["--max-model-len", str(settings.context)]
    if settings.max_adapters and not embeds:
        given += ["--enable-lora", "--max-loras", str(settings.max_adapters)]
        given += ["--max-lora-rank", str(vllm_rank(settings.max_adapter_rank))]
    return given + shlex.split(settings.vllm_args)


def vllm_rank(rank: int) -> int:
    """The smallest rank vLLM supports that is at least `rank`."""
    return next((one for one in (8, 16, 32, 64, 128, 256, 320) if one >= rank), 512)
