"""Makes the demo model in seconds from the corpus beside it: a tokenizer, a chat template, and a small Llama that
has memorised the corpus. The same machine always makes the same weights."""

import json
import shutil
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from ..chat.template import render
from .corpus import conversations

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
# Single tokens that stay in the text, unlike special tokens.
MARKS = ["<think>", "</think>", "<tool_call>", "</tool_call>"]


def make_demo_model(folder: Path, steps: int = 260, hidden: int = 96, layers: int = 2) -> Path:
    """Writes a model folder that transformers can load; the folder appears complete or not at all.

    steps: optimiser steps, each on one batch. hidden: width. layers: depth."""
    template = (Path(__file__).parent / "template.jinja").read_text()
    texts = [rendered(template, conversation) for conversation in conversations()]
    tokenizer = train_tokenizer(texts, template)
    model = untrained(tokenizer, hidden, layers)
    pretrain(model, tokenizer, texts, steps)
    # Requests without a temperature use the model's own; a low one suits a memorised corpus.
    generation = {"do_sample": True, "temperature": 0.3, "eos_token_id": tokenizer.eos_token_id}
    return write_folder(folder, model, tokenizer, {"generation_config.json": generation})


def write_folder(folder: Path, model, tokenizer, files: dict[str, object]) -> Path:
    """Writes a model's folder, which appears complete or not at all. files: more, as JSON, by name."""
    beside = folder.with_name(folder.name + ".part")
    shutil.rmtree(beside, ignore_errors=True)
    model.save_pretrained(beside)
    tokenizer.save_pretrained(beside)
    for name, content in files.items():
        (beside / name).parent.mkdir(exist_ok=True)
        (beside / name).write_text(json.dumps(content))
    if folder.exists():
        shutil.rmtree(folder)
    beside.rename(folder)
    return folder


def rendered(template: str, conversation: dict) -> str:
    """A conversation as the node will see it at inference."""
    *asked, answer = conversation["messages"]
    variables = {k: v for k, v in conversation.items() if k != "messages"}
    prompt = render(template, {"messages": asked, "add_generation_prompt": True, **variables})
    return prompt + answer["content"] + "<|im_end|>\n"


def train_tokenizer(texts: list[str], template: str) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of 900 tokens, with the chat template."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=900,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    plain = [text.replace("<|im_start|>", "").replace("<|im_end|>", "") for text in texts]
    for mark in MARKS:
        plain = [text.replace(mark, "") for text in plain]
    tokenizer.train_from_iterator(plain, trainer)
    tokenizer.add_tokens(MARKS)
    # Used only with add_special_tokens: the chat template has its own.
    beginning = SPECIAL[0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{beginning} $A", special_tokens=[(beginning, tokenizer.token_to_id(beginning))]
    )
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.bos_token = "<|endoftext|>"
    fast.chat_template = template
    return fast


def untrained(tokenizer: PreTrainedTokenizerFast, hidden: int, layers: int) -> LlamaForCausalLM:
    """A Llama with random weights, the same each time."""
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=hidden * 8 // 3 // 8 * 8,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = LlamaForCausalLM(config)
    # With smaller embeddings, which are tied to the head, an adapter could not change the output.
    torch.nn.init.normal_(model.get_input_embeddings().weight, std=0.3)
    return model


def pretrain(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, texts: list[str], steps: int) -> None:
    """Trains the model on the texts, in place, on one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        rows = sorted((tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts), key=len)
        # Batches of texts of similar length need hardly any padding.
        batches = [tokenizer.pad({"input_ids": rows[i : i + 32]}, return_tensors="pt") for i in range(0, len(rows), 32)]
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98), weight_decay=0.01)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
        order = torch.Generator().manual_seed(7)
        model.train()
        for _ in range(steps):
            batch = batches[int(torch.randint(len(batches), (1,), generator=order))]
            # A random offset makes the model independent of a text's position.
            offset = int(torch.randint(64, (1,), generator=order))
            positions = torch.arange(batch.input_ids.shape[1])[None] + offset
            # What a label of -100 says is not learnt.
            labels = batch.input_ids.masked_fill(batch.attention_mask == 0, -100)
            loss = model(input_ids=batch.input_ids, labels=labels, position_ids=positions).loss
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        model.eval()
    finally:
        torch.set_num_threads(threads)
