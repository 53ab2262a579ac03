/** Converts nodes' log-probabilities and usage to the chat interface's form. Pure. */

import type { ChatCompletionResponse, ChatLogprobs, ChatUsage } from '../../contract/chat-answer.js'
import type { Done, TokenLogprob, Usage } from '../../proto/heddle/node/v1/messages.js'

type Content = NonNullable<ChatLogprobs['content']>

/** One entry per output token. */
export function logprobContent(tokens: readonly TokenLogprob[]): Content {
  return tokens.map((token) => ({ ...plain(token), top_logprobs: token.top.map(plain) }))
}

function plain({ token, logprob, bytes }: TokenLogprob) {
  return { token, logprob, bytes: [...bytes] }
}

/** For each prompt token, its alternatives by token id; null for the first, which has no context. */
export function promptLogprobs({ promptLogprobs: all }: Done): ChatCompletionResponse['prompt_logprobs'] {
  if (all.length === 0) return undefined
  return all.map(({ tokens }) => {
    if (tokens.length === 0) return null
    const entries = tokens.map(({ tokenId, logprob, rank, token }) => [
      String(tokenId),
      { logprob, rank, decoded_token: token },
    ])
    return Object.fromEntries(entries)
  })
}

/** Token usage in the interface's form. */
export function usageOf(
  usage: Pick<Usage, 'promptTokens' | 'completionTokens' | 'cachedTokens'> & Partial<Usage>,
): ChatUsage {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens = 0 } = usage
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    ...(reasoningTokens > 0 && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}
