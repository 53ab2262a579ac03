/** The fields that say what an answer tells, how it comes, and what becomes of the request. */
import { type Answered, ids, type Row, refused, text } from './row.js'
import { HELLO } from './sampling-rows.js'

const tokensOf = ({ body }: Answered) => body.choices?.[0]?.logprobs?.content?.map(({ token }) => token)
const usages = ({ chunks }: Answered) => chunks.filter(({ usage }) => usage).length
const PROJECT = 'me/fields'

export const answerRows: Row[] = [
  {
    field: 'stream',
    request: () => ({ stream: true }),
    sees: ({ contentType, chunks }) => [
      contentType,
      chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join(''),
    ],
    is: ['text/event-stream; charset=utf-8', HELLO],
  },
  {
    field: 'stream_options',
    request: () => ({ stream: true, stream_options: { include_usage: true } }),
    sees: usages,
    is: 1,
  },
  {
    field: 'stream_options.include_usage',
    request: () => ({ stream: true, stream_options: { include_usage: false } }),
    sees: usages,
    is: 0,
  },
  {
    field: 'stream_options.continuous_usage_stats',
    request: () => ({ stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } }),
    sees: (answer) => usages(answer) === answer.chunks.length,
    is: true,
  },
  {
    field: 'logprobs',
    request: () => ({ logprobs: true }),
    sees: (answer) => tokensOf(answer)?.slice(0, -1).join(''),
    is: HELLO,
  },
  {
    field: 'top_logprobs',
    request: () => ({ logprobs: true, top_logprobs: 3 }),
    sees: ({ body }) => body.choices?.[0]?.logprobs?.content?.every((one) => one.top_logprobs.length === 3),
    is: true,
  },
  {
    field: 'prompt_logprobs',
    request: () => ({ prompt_logprobs: 2 }),
    sees: ({ body }) => [
      body.prompt_logprobs?.length === body.usage?.prompt_tokens,
      body.prompt_logprobs?.slice(1).every((one) => Object.keys(one ?? {}).length >= 2),
    ],
    is: [true, true],
  },
  {
    field: 'return_tokens_as_token_ids',
    request: () => ({ logprobs: true, return_tokens_as_token_ids: true, return_token_ids: true }),
    sees: (answer) =>
      ids(answer)
        ?.map((id) => `token_id:${id}`)
        .join() === tokensOf(answer)?.join(),
    is: true,
  },
  {
    field: 'return_token_ids',
    request: () => ({ return_token_ids: true }),
    sees: (answer) => [
      answer.body.prompt_token_ids?.length === answer.body.usage?.prompt_tokens,
      ids(answer)?.length === answer.body.usage?.completion_tokens,
    ],
    is: [true, true],
  },
  {
    field: 'skip_special_tokens',
    request: () => ({ skip_special_tokens: false, ignore_eos: true, max_tokens: 10 }),
    sees: text,
    is: `${HELLO}<|im_end|>`,
  },
  {
    field: 'spaces_between_special_tokens',
    request: (token) => ({
      spaces_between_special_tokens: false,
      skip_special_tokens: false,
      allowed_token_ids: [token('<|im_end|>')],
      ignore_eos: true,
      max_tokens: 2,
    }),
    sees: text,
    is: '<|im_end|><|im_end|>',
  },
  {
    field: 'request_id',
    request: () => ({ request_id: 'the-weavers' }),
    sees: ({ body }) => body.id,
    is: 'chatcmpl-the-weavers',
  },
  {
    field: 'cache_salt',
    first: { max_tokens: 1 },
    request: () => ({ cache_salt: 'nobody else has it', max_tokens: 1 }),
    sees: ({ body }) => body.usage?.prompt_tokens_details.cached_tokens,
    is: 0,
  },
  {
    field: 'user',
    headers: { 'x-heddle-project': PROJECT },
    request: () => ({ user: 'weaver-7' }),
    sees: async ({ logged }) => (await logged())?.user,
    is: 'weaver-7',
  },
  {
    field: 'priority',
    about: 'the node has none',
    request: () => ({ priority: 1 }),
    sees: refused,
    is: [400, 'priority', 'NO_PRIORITIES'],
  },
  {
    field: 'kv_transfer_params',
    about: 'one node does all',
    request: () => ({ kv_transfer_params: { do_remote_decode: true } }),
    sees: refused,
    is: [400, 'kv_transfer_params', 'UNSUPPORTED_FIELD'],
  },
  {
    field: 'backend_xargs',
    request: () => ({ backend_xargs: { strange: [1, 'two'] } }),
    sees: refused,
    is: [400, 'backend_xargs', 'UNSUPPORTED_FIELD'],
  },
  {
    field: 'vllm_xargs',
    about: 'the older name',
    request: () => ({ vllm_xargs: { strange: 1 } }),
    sees: refused,
    is: [400, 'backend_xargs', 'UNSUPPORTED_FIELD'],
  },
]
