/** Bedrock's Converse. Counts the cache's tokens apart, as Anthropic does. */
import { isRefused, REFUSED, turnOf, USAGE } from './model.mjs'

const usage = {
  ...{ inputTokens: USAGE.input - USAGE.cached, outputTokens: USAGE.output },
  ...{ totalTokens: USAGE.input + USAGE.output, cacheReadInputTokens: USAGE.cached },
}

export function bedrock(response, { messages }) {
  const answer = (status, headers, value) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  if (messages.some(({ content }) => content.some(({ text }) => isRefused(text))))
    return answer(400, { 'x-amzn-errortype': 'ValidationException' }, { message: REFUSED.message })
  const message = { role: 'assistant', content: [{ text: turnOf([], []).text }] }
  return answer(
    200,
    { 'x-amzn-requestid': 'request-1' },
    { output: { message }, stopReason: 'end_turn', usage, metrics: { latencyMs: 1 } },
  )
}
