/** A streamed request through each interface of chat, and how a stream ends that failed in the middle. */

interface Streamed {
  path: string
  /** of a request for an answer to `content`, without the model */
  body: (content: string) => object
  /** what a failed stream ends with, and the JSON of its last event */
  failed: RegExp
}

const messages = (content: string) => [{ role: 'user', content }]
/** Ends as the SDKs of chat completions know it. */
const DONE = /\ndata: (\{"error":.+\})\n\ndata: \[DONE\]\n\n$/

const STREAMS: Readonly<Record<string, Streamed>> = {
  chat: { path: 'chat/completions', body: (content) => ({ messages: messages(content) }), failed: DONE },
  completions: { path: 'completions', body: (prompt) => ({ prompt }), failed: DONE },
  messages: {
    path: 'messages',
    body: (content) => ({ messages: messages(content) }),
    failed: /\nevent: error\ndata: (.+)\n\n$/,
  },
  responses: {
    path: 'responses',
    body: (input) => ({ input, store: false }),
    failed: /\nevent: response\.failed\ndata: (.+)\n\n$/,
  },
}

/**
 * Begins a stream through each interface.
 * @param more of each request @param said what tells that an answer has begun
 * @returns what waits for the end of each: the interface, with `true` if that was its error event, else how it ended
 */
export async function begunStreams(
  url: string,
  { headers, more, said }: { headers: Record<string, string>; more: object; said: RegExp },
): Promise<() => Promise<[string, true | string][]>> {
  const rests = await Promise.all(
    Object.entries(STREAMS).map(async ([name, { path, body, failed }]) => {
      const answer = await fetch(`${url}/v1/${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body('Tell me more.'), max_tokens: 1500, stream: true, ...more }),
      })
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!said.test(text)) {
        const part = await reader.read()
        if (part.done) throw new Error(`${name} answered ${answer.status} ${text}`)
        text += part.value
      }
      return async (): Promise<[string, true | string]> => {
        for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
        const [, last] = failed.exec(text) ?? []
        return [name, last !== undefined && JSON.parse(last) !== null ? true : text.slice(-300)]
      }
    }),
  )
  return () => Promise.all(rests.map((rest) => rest()))
}

/** What {@link begunStreams} gives where each interface has told of the failure. */
export const ALL_FAILED: [string, true][] = Object.keys(STREAMS).map((name) => [name, true])
