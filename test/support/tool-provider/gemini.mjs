/** Gemini's `generateContent`, whole or as a stream. */
import { isRefused, json, REFUSED, stream, turnOf, USAGE } from './model.mjs'

const usageMetadata = {
  ...{ promptTokenCount: USAGE.input, candidatesTokenCount: USAGE.output },
  ...{ cachedContentTokenCount: USAGE.cached, totalTokenCount: USAGE.input + USAGE.output },
}

export function gemini(response, { contents, tools = [] }, url) {
  if (contents.some(({ role, parts }) => role === 'user' && parts.some(({ text }) => isRefused(text))))
    return json(response, 400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: REFUSED.message } })
  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
  const { text, name, args } = turnOf(
    declared.map((tool) => tool.name),
    contents.slice(1),
  )
  const part = name ? { functionCall: { name, args } } : { text }
  const answer = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    ...{ usageMetadata, modelVersion: /models\/([^:]+)/.exec(url)[1], responseId: 'response-1' },
  }
  return url.includes(':stream') ? stream(response, [answer]).end() : json(response, 200, answer)
}
