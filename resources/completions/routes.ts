import { completionsCreate, completionsCreateStream } from '../../contract/completions.js'
import { type Bound, Reply, type Request, serve } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import { Completer, type Ready } from './completer.js'

export function completionRoutes(parts: Parts): Bound[] {
  const completer = new Completer(parts)
  const begin = async ({ bytes, principal, signal }: Request): Promise<Ready> => {
    const asked = await parts.workers.run('completion', bytes)
    principal.must('write', asked.project_id)
    const ready = await completer.ready(asked, principal, signal)
    await parts.register.note([asked.project_id])
    return ready
  }
  const whole = async (request: Request) => {
    const ready = await begin(request)
    const { callId, traceId, asked } = ready
    const rest = {
      weave_call_id: callId,
      span_id: callId,
      trace_id: callId === null ? null : traceId,
      conversation_id: asked.conversation_id ?? null,
    }
    const response = await completer.whole(ready)
    return new Reply(200, 'application/json', `{"response":${response},${JSON.stringify(rest).slice(1)}`)
  }
  const stream = async (request: Request) =>
    new Reply(200, 'application/jsonl', lines(completer, await begin(request)))
  return [serve(completionsCreate, whole), serve(completionsCreateStream, stream)]
}

async function* lines(completer: Completer, ready: Ready): AsyncGenerator<Uint8Array> {
  const { callId, traceId, asked } = ready
  if (callId !== null) {
    const conversation = asked.conversation_id ?? null
    const _meta = { weave_call_id: callId, trace_id: traceId, conversation_id: conversation }
    yield Buffer.from(`${JSON.stringify({ _meta })}\n`)
  }
  for await (const text of completer.chunks(ready)) yield Buffer.from(`${text}\n`)
}
