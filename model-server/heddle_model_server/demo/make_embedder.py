"""Makes the demo embedding model in seconds from the corpus beside it: a small encoder that has learnt which question an answer
belongs to. The same machine always makes the same weights."""

from pathlib import Path

import torch
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from ..embedding import Embedding
from ..engine_cpu.embedder import pooled
from .corpus import PLACES, TALK
from .make import train_tokenizer, write_folder

# Each is the beginning of a longer embedding.
SIZES = (16, 32, 64)
CONTEXT = 512
MEAN = Embedding("mean", True, max(SIZES))
# As sentence-transformers lists them.
MODULES = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}


def make_demo_embedder(folder: Path, steps: int = 80) -> Path:
    """Writes a model folder that sentence-transformers can load, too; the folder appears complete or not at all.

    steps: optimiser steps, each on the whole corpus."""
    pairs = [*TALK, *((f"What is the weather in {place}?", f"The sky over {place} is clear.") for place in PLACES)]
    tokenizer = train_tokenizer([text for pair in pairs for text in pair], "")
    tokenizer.chat_template = None
    tokenizer.model_max_length = CONTEXT
    model = untrained(tokenizer)
    learn(model, tokenizer, pairs, steps)
    modules = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (kind, path) in enumerate(MODULES.items())
    ]
    pooling = {"word_embedding_dimension": max(SIZES), "pooling_mode_mean_tokens": True}
    return write_folder(
        folder,
        model,
        tokenizer,
        {
            "modules.json": modules,
            "1_Pooling/config.json": pooling,
            "sentence_bert_config.json": {"max_seq_length": CONTEXT},
        },
    )


def untrained(tokenizer: PreTrainedTokenizerFast) -> BertModel:
    """An encoder with random weights, the same each time."""
    torch.manual_seed(7)
    return BertModel(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=max(SIZES),
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            max_position_embeddings=CONTEXT,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            pad_token_id=tokenizer.pad_token_id,
            matryoshka_dimensions=list(SIZES),
        ),
        add_pooling_layer=False,
    )


def learn(model: BertModel, tokenizer: PreTrainedTokenizerFast, pairs: list[tuple[str, str]], steps: int) -> None:
    """Trains the model in place, on one thread: each question is to be nearer to its answer than to the others', at every size."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        sides = [tokenizer(list(texts), padding=True, return_tensors="pt") for texts in zip(*pairs)]
        optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
        labels = torch.arange(len(pairs))
        model.train()
        for _ in range(steps):
            questions, answers = (
                pooled(model(side.input_ids, side.attention_mask).last_hidden_state, side.attention_mask, MEAN)
                for side in sides
            )
            loss = torch.zeros(())
            for size in SIZES:
                q, a = (torch.nn.functional.normalize(side[:, :size], dim=-1) for side in (questions, answers))
                scores = q @ a.T * 20
                loss = loss + torch.nn.functional.cross_entropy(scores, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
    finally:
        torch.set_num_threads(threads)
