/** The routes of responses, bound. */

import * as contract from '../../contract/responses.js'
import { chatRequest } from '../../domain/chat/request.js'
import { type Run, stream } from '../../domain/chat/run.js'
import type { SigningSecrets } from '../../domain/secrets/signing-secrets.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { HeddleError } from '../../platform/errors/error.js'
import { type Bound, Reply, type Request, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { RenewedLease } from '../../platform/leases/renewed-lease.js'
import { type Asked, begin, type ChatParts, complete, streamReply } from '../chat/complete.js'
import { leftOutHeader } from '../chat/left-out.js'
import { sealReasoning } from '../chat/reasoning-token.js'
import { ownerOf } from '../owner.js'
import { problemBody, problems } from '../problem.js'
import { traceRequest } from '../trace/trace-request.js'
import type { Background } from './background.js'
import { compact } from './compact.js'
import { conversationRoutes } from './conversation-routes.js'
import { earlierOf, type Found, rowOf } from './history.js'
import { itemPage } from './page.js'
import { ourField, type ResponseRead } from './read.js'
import { cancelledContent, followStored, leaseOf, runs, settled } from './stored.js'
import { deleteRow, newId, type StoredResponse, VERSION, writeRow } from './table.js'
import { ResponseWriter } from './writer.js'

export interface ResponseParts extends ChatParts {
  store: Store
  secrets: SigningSecrets
  background: Background
}

/** In every request that has a token of reasoning or wants one. */
const TOKENS = 'encrypted_content'

/** A request as it was read, with what it continues. */
export interface ReadRequest extends ResponseRead {
  id: string
  found: Found | undefined
  secrets: readonly string[]
}

export function responseRoutes(parts: ResponseParts): Bound[] {
  const { store } = parts
  const own = ({ params, principal }: Request<{ response_id: string }>) =>
    rowOf(store, ownerOf(principal), params.response_id, 'resp')
  const now = (request: Request<{ response_id: string }>) => settled(store, () => own(request), isHeld(parts))
  const routes = [
    serve(contract.createResponse, (request) => create(parts, request)),
    serve(contract.countResponseTokens, async (request) => {
      const { chat, read } = await readRequest(parts, request)
      const { principal, signal } = request
      const tokens = await parts.chat.count({ chat: chatRequest(chat, read), principal, signal })
      return { object: 'response.input_tokens', input_tokens: tokens }
    }),
    serve(contract.compactResponse, async (request) =>
      compact(parts, request, await readRequest(parts, request, true)),
    ),
    serve(contract.retrieveResponse, async (request) => {
      const row = await now(request)
      if (request.query.stream !== 'true') return finished(row.content)
      const from = (request.query.starting_after ?? -1) + 1
      return streamReply(
        parts.background.follow(row.id, from) ??
          followStored(() => now(request), { from, signal: request.signal }),
      )
    }),
    serve(contract.deleteResponse, async (request) => {
      const row = await own(request)
      if (runs(row)) await stop(parts, row.id)
      await deleteRow(store, row)
      return { id: row.id, object: 'response', deleted: true }
    }),
    serve(contract.cancelResponse, async (request) => {
      const row = await now(request)
      if (!runs(row)) return finished(row.content)
      const content = cancelledContent(row)
      await writeRow(store, { ...row, status: 'cancelled', content, ver: VERSION.cancelled })
      await stop(parts, row.id)
      return finished(content)
    }),
    serve(contract.listInputItems, async (request) => {
      const row = await own(request)
      return itemPage(JSON.parse(row.items), request.query)
    }),
    ...conversationRoutes(store),
  ]
  return routes.map((bound) => ({ ...bound, spec: { ...bound.spec, errorBody: responseProblem } }))
}

const isHeld =
  ({ chat }: ResponseParts) =>
  (name: string) =>
    RenewedLease.isHeld(chat.dispatcher.redis, name)

/** Ends a response, whichever process runs it. */
async function stop({ background, chat }: ResponseParts, id: string): Promise<void> {
  if (background.cancel(id)) return
  // Without Redis it ends by itself: it waits for an answer from there.
  await RenewedLease.revoke(chat.dispatcher.redis, leaseOf(id)).catch(() => undefined)
}

/** Finished JSON. */
function finished(text: string): Reply {
  return new Reply(200, 'application/json', text)
}

async function create(parts: ResponseParts, request: Request): Promise<Reply> {
  const began = performance.now()
  const read = await readRequest(parts, request)
  const { id, secrets, leftOut, chat, answering, background } = read
  const row = rowFor(request, read)
  const store = async (content: string, status: string) => {
    if (read.store) await writeRow(parts.store, { ...row, content, status, ver: VERSION.ended })
  }
  let writer: ResponseWriter | undefined
  const writerOf = ({ head }: Pick<Run, 'head'>) => {
    writer ??= new ResponseWriter({
      ...{ head: { ...head, id }, answering, store },
      seal: (reasoning) => sealReasoning(reasoning, secrets[0]!),
    })
    return writer
  }
  const asked: Asked = {
    ...{ interface: 'responses', chat: chatRequest(chat, read.read), inputs: chat, began },
    writer: writerOf,
    see: (event, run) => void writerOf(run).lines(event),
    body: (_, run) => writerOf(run).whole(),
    headers: leftOutHeader(leftOut),
  }
  if (!background) return complete(parts, request, asked)
  return inBackground(parts, request, asked, {
    ...{ id, writerOf },
    begun: async (content) => {
      if (read.store) await writeRow(parts.store, { ...row, content, status: 'queued', ver: VERSION.begun })
    },
  })
}

interface BackgroundRun {
  id: string
  writerOf: (run: Run) => ResponseWriter
  /** stores it as queued */
  begun: (content: string) => Promise<void>
}

/** Begins a response that runs though nobody waits for it. */
async function inBackground(
  parts: ResponseParts,
  request: Request,
  asked: Asked,
  { id, writerOf, begun }: BackgroundRun,
): Promise<Reply> {
  const lease = await leaseFor(parts, id)
  const cancelled = new AbortController()
  try {
    const { run, headers } = await begin(parts, { ...request, signal: cancelled.signal }, asked)
    const queued = writerOf(run).queued()
    await begun(queued).catch((error: unknown) => {
      run.pending.leave()
      throw error
    })
    parts.background.start(id, lease, (signal) => {
      signal.addEventListener('abort', () => cancelled.abort())
      return toTheEnd(run, writerOf(run))
    })
    if (asked.chat.fields.stream) return streamReply(parts.background.follow(id, 0)!, headers)
    return new Reply(200, 'application/json', queued, headers)
  } catch (error) {
    await lease.release()
    throw error
  }
}

/** Shows other processes that a response runs here. @throws `QUEUES_AWAY` (503) */
async function leaseFor({ chat }: ResponseParts, id: string): Promise<RenewedLease> {
  try {
    return (await RenewedLease.take(chat.dispatcher.redis, leaseOf(id)))!
  } catch (error) {
    throw problems.queuesAway(error)
  }
}

/** The stream of a run; an error before its first event becomes an event, too. */
async function* toTheEnd(run: Run, writer: ResponseWriter): AsyncGenerator<Uint8Array> {
  try {
    yield* stream(run, writer)
  } catch (error) {
    const known = error instanceof HeddleError ? error : new HeddleError('INTERNAL', 500, 'It failed.')
    yield Buffer.from(await writer.failed(known))
  }
}

function rowFor(
  { headers, principal }: Request,
  { id, found, items }: ReadRequest,
): Omit<StoredResponse, 'content' | 'status' | 'ver'> {
  const project = traceRequest(headers, principal)?.project
  return {
    ...{ owner: ownerOf(principal), id, items, thread: found?.thread ?? id, deleted: 0 },
    previous: found?.previous ?? '',
    project_id: project === undefined ? '' : projectIdOf(project),
    created_at: Date.now(),
  }
}

/** Reads a request and what it continues. @throws 400, 404, 422 */
async function readRequest(parts: ResponseParts, request: Request, compacts = false): Promise<ReadRequest> {
  const { bytes, headers, principal } = request
  const { threads } = parts
  const uuid = uuid7()
  const id = newId('resp', uuid)
  const secrets = compacts || bufferOf(bytes).includes(TOKENS) ? await parts.secrets.read() : []
  const key = id.slice('resp_'.length)
  const asked = { bytes, leavesOut: sendsToolsUnasked(headers), secrets, compacts, key }
  const read = await threads.run('response', asked, bytes.length)
  if (!('needs' in read)) return { ...read, id, found: undefined, secrets }
  const found = await earlierOf(parts.store, ownerOf(principal), read.needs, isHeld(parts))
  const { items, referenced } = found
  const again = await threads.run('response', { ...asked, earlier: { items, referenced } }, bytes.length)
  return { ...(again as ResponseRead), id, found, secrets }
}

/** Codex sends tools that only its provider runs, whether its user wants them or not. */
function sendsToolsUnasked(headers: ReadonlyMap<string, string>): boolean {
  return (headers.get('originator') ?? '').startsWith('codex')
}

/** The error answers of this interface: those of chat completions, with its own names of fields. */
function responseProblem(error: HeddleError): Record<string, unknown> {
  const body = problemBody(error) as { error: { param: unknown } }
  const { param } = body.error
  return { ...body, error: { ...body.error, param: typeof param === 'string' ? ourField(param) : param } }
}
