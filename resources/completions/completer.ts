/**
 * Completes a chat and writes down the call, whether it went well or not. What goes wrong behind the service is part
 * of the answer.
 */

import { type FinishedCall, recordCalls } from '../../domain/calls/record.js'
import { type AskOptions, askBounds } from '../../domain/providers/ask.js'
import { ProviderFailure } from '../../domain/providers/failure.js'
import { usageCounts } from '../../domain/providers/usage.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { objectText } from '../../platform/json/members.js'
import { nowMicros } from '../../platform/time/iso.js'
import type { Parts } from '../parts.js'
import { ChunkJoiner } from './chunk-joiner.js'
import { type CompletionRequest, fieldsOf, timeoutOf } from './completion-request.js'
import { type Source, sourceOf } from './source.js'

const OP = 'weave.completions_create'
/** Of a model's answer. */
const MOST_BYTES = 32 << 20

/** A completion that can begin: its model is known, and its messages are there. */
export interface Ready {
  asked: CompletionRequest
  principal: Principal
  signal: AbortSignal
  source: Source
  /** JSON texts */
  fields: ReadonlyMap<string, string>
  /** null: not to be tracked */
  callId: string | null
  traceId: string
}

interface Outcome {
  /** JSON text */
  output: string
  error: { code: string; message: string } | undefined
}

export class Completer {
  constructor(private readonly parts: Parts) {}

  /** @throws `NO_PROVIDER` and 400s: nothing was asked and no call is written */
  async ready(asked: CompletionRequest, principal: Principal, signal: AbortSignal): Promise<Ready> {
    const source = await sourceOf(this.parts, asked.project_id, asked.inputs.model, principal)
    const messages = await this.messages(asked, principal)
    if (messages === '[]')
      throw errors.badRequest('Send at least one message in inputs.messages, or name a prompt.')
    const fields = fieldsOf(asked, messages)
    const callId = asked.track_llm_call === false ? null : uuid7()
    return { asked, principal, signal, source, fields, callId, traceId: asked.trace_id ?? uuid7() }
  }

  /** JSON text of the answer, or of `{error}`. */
  async whole(ready: Ready): Promise<string> {
    const startedAt = nowMicros()
    const outcome = await this.within(ready, (options) => ready.source.whole(ready.fields, options))
    await this.track(ready, startedAt, outcome)
    return outcome.output
  }

  /** JSON texts of the answer's chunks; `{error}` last where something went wrong. */
  async *chunks(ready: Ready): AsyncGenerator<string> {
    const startedAt = nowMicros()
    const joined = new ChunkJoiner()
    const options = this.bounds(ready)
    let failure: Outcome | undefined
    try {
      for await (const text of ready.source.chunks(ready.fields, options)) {
        joined.add(text)
        yield text
      }
    } catch (error) {
      failure = failed(error)
      yield failure.output
    } finally {
      options.release()
      const output = joined.answer()
      const gone = ready.signal.aborted
        ? new ProviderFailure('CANCELLED', 'The caller went away.')
        : undefined
      await this.track(ready, startedAt, {
        output: output === undefined ? (failure?.output ?? 'null') : JSON.stringify(output),
        error: failure?.error ?? joined.error ?? gone?.body(),
      })
    }
  }

  /** JSON text of all messages. */
  private async messages({ given, inputs }: CompletionRequest, principal: Principal): Promise<string> {
    const { prompt: ref } = inputs
    const messages = given.get('messages') ?? '[]'
    const variables = given.get('template_vars')
    if (!ref && variables === undefined) return messages
    const text = ref ? (await this.parts.resolve([ref], principal)).get(ref) : undefined
    const parts = { messages, variables, prompt: ref ? { ref, text } : undefined }
    // How much variables make of them is not known before.
    const bytes = variables === undefined ? messages.length + (text?.length ?? 0) : Number.POSITIVE_INFINITY
    return this.parts.workers.run('messages', parts, bytes)
  }

  private async within(ready: Ready, work: (options: AskOptions) => Promise<string>): Promise<Outcome> {
    const options = this.bounds(ready)
    try {
      return { output: await work(options), error: undefined }
    } catch (error) {
      return failed(error)
    } finally {
      options.release()
    }
  }

  private bounds({ asked, signal }: Ready) {
    const timeoutMs = Math.min(timeoutOf(asked) ?? Number.POSITIVE_INFINITY, this.parts.timeoutMs)
    return askBounds({ held: this.parts.held, timeoutMs }, MOST_BYTES, signal)
  }

  private async track(ready: Ready, startedAt: number, { output, error }: Outcome): Promise<void> {
    const { asked, callId, traceId, source } = ready
    if (callId === null) return
    const { conversation_id, conversation_name, source: from } = asked
    const about = { conversation_id, conversation_name, source: from }
    const call: FinishedCall = {
      project: asked.project_id,
      id: callId,
      traceId,
      ...(asked.parent_id && { parentId: asked.parent_id }),
      opName: OP,
      startedAt,
      endedAt: nowMicros(),
      inputs: objectText(asked.given),
      output,
      attributes: JSON.stringify({ kind: 'llm', provider: source.provider, model: source.model, ...about }),
      summary: summaryOf(output, source.model),
      exception: error === undefined ? '' : `${error.code}: ${error.message}`,
      userId: ready.principal.userId,
    }
    await recordCalls(this.parts.store, [call], (calls) =>
      this.parts.workers.run('finishedBlock', calls, call.inputs.length + output.length),
    )
  }
}

/** What went wrong behind the service, as an answer. Anything else is thrown on. */
function failed(error: unknown): Outcome {
  if (error instanceof ProviderFailure) {
    const body = error.body()
    return { output: JSON.stringify({ error: body }), error: body }
  }
  if (!(error instanceof HeddleError)) throw error
  const body = { code: error.code, message: error.reason, status: error.status }
  return { output: JSON.stringify({ error: body }), error: body }
}

function summaryOf(output: string, model: string): string {
  const { usage } = (JSON.parse(output) ?? {}) as { usage?: Record<string, unknown> }
  if (usage === null || typeof usage !== 'object') return '{}'
  return JSON.stringify({ usage: { [model]: usageCounts((name) => usage[name]) } })
}
