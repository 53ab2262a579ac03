/** What answers a completion: a provider's model, or one that is served here. */

import type { Chat } from '../../domain/chat/chat.js'
import { chatRequest } from '../../domain/chat/request.js'
import { stream, whole } from '../../domain/chat/run.js'
import { type AskOptions, askProvider, askProviderStream } from '../../domain/providers/ask.js'
import { eventData } from '../../domain/providers/event-stream.js'
import { ProviderFailure } from '../../domain/providers/failure.js'
import type { ProviderModel } from '../../domain/providers/provider.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { treeText } from '../../platform/json/tree.js'
import type { Parts } from '../parts.js'
import type { Workers } from '../workers/workers.js'
import { requestText } from './completion-request.js'

export interface Source {
  /** as calls and usage name it */
  model: string
  provider: string
  /** JSON text of the answer; `fields` are JSON texts. @throws ProviderFailure, HeddleError */
  whole(fields: ReadonlyMap<string, string>, options: AskOptions): Promise<string>
  /** JSON texts of the answer's chunks. @throws the same */
  chunks(fields: ReadonlyMap<string, string>, options: AskOptions): AsyncGenerator<string>
}

const PATH = '/chat/completions'
/** The usage comes with a chunk of its own, at the end. */
const STREAMED = { stream: true, stream_options: { include_usage: true } }
const OWN = 'heddle'

/**
 * What `name` names: a provider's model that `project` describes, else one that is served here.
 * @throws `MODEL_NOT_ALLOWED` (403) if the key is for others, `NO_PROVIDER` (404) if it is neither, and whatever is wrong with the provider's object
 */
export async function sourceOf(
  { providers, outbound, chat, workers }: Parts,
  project: string,
  name: string,
  principal: Principal,
): Promise<Source> {
  if (!principal.mayAsk(name)) throw errors.modelNotAllowed(name)
  try {
    return providerSource(outbound, await providers.find(project, name))
  } catch (error) {
    const unknown = error instanceof HeddleError && error.code === 'NO_PROVIDER'
    if (!unknown || !chat || !(await chat.serves(name, principal))) throw error
    return ownSource(chat, workers, name, principal)
  }
}

function providerSource(outbound: Parts['outbound'], provider: ProviderModel): Source {
  const { model } = provider
  return {
    ...{ model, provider: provider.provider },
    whole: async (fields, options) =>
      treeText(await askProvider(outbound, provider, PATH, requestText(fields, { model }), options)),
    chunks: (fields, options) =>
      askProviderStream(outbound, provider, PATH, requestText(fields, { model, ...STREAMED }), options),
  }
}

function ownSource(chat: Chat, workers: Workers, model: string, principal: Principal): Source {
  const begin = async (text: string, { signal, time }: AskOptions) => {
    const bytes = Buffer.from(text)
    // What is handed to a thread is gone afterwards.
    const read = await workers.run('chat', new Uint8Array(bytes))
    return chat.begin({
      chat: chatRequest(bytes, read),
      principal,
      signal: AbortSignal.any([signal, time]),
    })
  }
  return {
    ...{ model, provider: OWN },
    async whole(fields, options) {
      try {
        return JSON.stringify(await whole(await begin(requestText(fields, { model }), options)))
      } catch (error) {
        throw inTime(error, options)
      }
    },
    async *chunks(fields, options) {
      try {
        const run = await begin(requestText(fields, { model, ...STREAMED }), options)
        for await (const data of eventData(stream(run))) if (data !== '[DONE]') yield data
      } catch (error) {
        throw inTime(error, options)
      }
    },
  }
}

/** What ended because its time was over says so. */
function inTime(error: unknown, { time, signal, timeoutMs }: AskOptions): unknown {
  if (!time.aborted || signal.aborted) return error
  return new ProviderFailure(
    'PROVIDER_TIMEOUT',
    `The model did not answer within ${timeoutMs / 1000} seconds.`,
  )
}
