"""The OpenAI SDK against text completions: prompts in every form, echo, log-probabilities, several choices, streams."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

from openai import APIStatusError, OpenAI
from result import report

client = OpenAI()
usual = {'model': 'demo', 'temperature': 0, 'max_tokens': 4}


def create(prompt, **more):
    return client.completions.create(prompt=prompt, **{**usual, **more})


def refused(**more):
    try:
        create(**{'prompt': 'x', **more})
    except APIStatusError as error:
        return [error.status_code, error.body['param']]


prompt = 'The capital of'
plain = create(prompt, extra_body={'return_token_ids': True})
tokens = plain.choices[0].prompt_token_ids
by_tokens = create(tokens, echo=True)
both = create([prompt, 'Hello'], n=2, temperature=1, seed=3)
same = create([tokens, tokens])
scored = create(prompt, echo=True, logprobs=2, max_tokens=0)
scored_tokens = create(tokens, echo=True, logprobs=2, max_tokens=1)
listed = create(prompt, logprobs=1)
chunks = list(create([prompt, prompt], stream=True, echo=True, stream_options={'include_usage': True}))
texts = ['', '']
for chunk in chunks:
    for choice in chunk.choices:
        texts[choice.index] += choice.text

report(
    {
        'object': plain.object,
        'id': plain.id[:5],
        'finish': plain.choices[0].finish_reason,
        'usage': [plain.usage.prompt_tokens == len(tokens), plain.usage.completion_tokens],
        'byTokens': by_tokens.choices[0].text == prompt + plain.choices[0].text,
        'several': [choice.index for choice in both.choices],
        'same': [choice.text == plain.choices[0].text for choice in same.choices],
        'scored': {
            'text': scored.choices[0].text,
            'joined': ''.join(scored.choices[0].logprobs.tokens),
            'first': scored.choices[0].logprobs.token_logprobs[0],
            'rest': all(one < 0 for one in scored.choices[0].logprobs.token_logprobs[1:]),
            'top': min(len(one) for one in scored.choices[0].logprobs.top_logprobs[1:]),
            'offsets': scored.choices[0].logprobs.text_offset[:2],
            'generated': scored.usage.completion_tokens,
        },
        'scoredTokens': scored_tokens.choices[0].logprobs.token_logprobs[: len(tokens)]
        == scored.choices[0].logprobs.token_logprobs,
        'listed': [
            ''.join(listed.choices[0].logprobs.tokens) == listed.choices[0].text,
            listed.choices[0].logprobs.text_offset[0],
        ],
        'streamed': [text == prompt + plain.choices[0].text for text in texts],
        'streamedUsage': chunks[-1].usage.completion_tokens,
        'refused': [refused(suffix='y'), refused(best_of=3), refused(max_tokens=0), refused(prompt=[])],
        'missing': refused(model='nobody'),
    }
)
