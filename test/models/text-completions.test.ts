/** Text completions by a real model node, as the published SDKs see them. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { ChatEndpoint } from '../support/chat-server.js'
import { runNode, runPython } from '../support/program.js'
import { sharedChat } from '../support/shared-server.js'

describe('text completions', () => {
  let chat: ChatEndpoint
  beforeAll(async () => {
    chat = await sharedChat()
  })

  it('work with the Python SDK, unchanged', async () => {
    expect(await runPython(chat.server, 'openai_completions', chat.clientEnv)).toEqual({
      ...{ object: 'text_completion', id: 'cmpl-', finish: 'length', usage: [true, 4] },
      ...{ byTokens: true, several: [0, 1, 2, 3], same: [true, true] },
      scored: {
        ...{ text: 'The capital of', joined: 'The capital of', first: null, rest: true },
        ...{ top: 2, offsets: [0, expect.any(Number)], generated: 0 },
      },
      ...{ scoredTokens: true, listed: [true, 0], streamed: [true, true], streamedUsage: 8 },
      refused: [
        [400, 'suffix'],
        [400, 'best_of'],
        [400, 'max_tokens'],
        [422, 'prompt'],
      ],
      missing: [404, 'model'],
    })
  })

  it('work with the JavaScript SDK, unchanged', async () => {
    const found = await runNode(chat.server, 'openai-completions', chat.clientEnv)
    expect(found).toEqual({ same: [true, true], logprobs: 4 })
  })
})
