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
import { type Asked, begin, type ChatParts, complete, streamReply } from '../chat/complete.js'
import { leftOutHeader } from '../chat/left-out.js'
import { sealReasoning } from '../chat/reasoning-token.js'
import { ownerOf } from '../owner.js'
import { traceRequest } from '../trace/trace-request.js'
import type { Background } from './background.js'
import { compact } from './compact.js'
import { conversationRoutes } from './conversation-routes.js'
import { earlierOf, type Found, rowOf } from './history.js'
import { itemPage } from './page.js'
import { responseProblem } from './problem.js'
import type { ResponseRead } from './read.js'
import { cancelledContent, followStored, shownOf } from './stored.js'
import { deleteRow, newId, type StoredResponse, VERSION, writeRow } from './table.js'
import { ResponseWriter } from './writer.js'

export interface ResponseParts extends ChatParts {
  store: Store
  secrets: SigningSecrets
  background: Background
  /** maximum time of a completion, waiting included */
  chatSeconds: number
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
      const row = await own(request)
      if (request.query.stream !== 'true') return finished(shownOf(row, parts.chatSeconds))
      const from = (request.query.starting_after ?? -1) + 1
      return streamReply(
        parts.background.follow(row.id, from) ??
          followStored(() => own(request), { from, chatSeconds: parts.chatSeconds, signal: request.signal }),
      )
    }),
    serve(contract.deleteResponse, async (request) => {
      const row = await own(request)
      parts.background.cancel(row.id)
      await deleteRow(store, row)
      return { id: row.id, object: 'response', deleted: true }
    }),
    serve(contract.cancelResponse, async (request) => {
      const row = await own(request)
      if (row.status !== 'queued' && row.status !== 'in_progress') return finished(row.content)
      const content = cancelledContent(row)
      await writeRow(store, { ...row, status: 'cancelled', content, ver: VERSION.cancelled })
      parts.background.cancel(row.id)
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
  const cancelled = new AbortController()
  const { run, headers } = await begin(parts, { ...request, signal: cancelled.signal }, asked)
  const queued = writerOf(run).queued()
  if (read.store)
    await writeRow(parts.store, { ...row, content: queued, status: 'queued', ver: VERSION.begun })
  parts.background.start(id, (signal) => {
    signal.addEventListener('abort', () => cancelled.abort())
    return toTheEnd(run, writerOf(run))
  })
  if (asked.chat.fields.stream) return streamReply(parts.background.follow(id, 0)!, headers)
  return new Reply(200, 'application/json', queued, headers)
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
  const found = await earlierOf(parts.store, ownerOf(principal), read.needs)
  const { items, referenced } = found
  const again = await threads.run('response', { ...asked, earlier: { items, referenced } }, bytes.length)
  return { ...(again as ResponseRead), id, found, secrets }
}

/** Codex sends tools that only its provider runs, whether its user wants them or not. */
function sendsToolsUnasked(headers: ReadonlyMap<string, string>): boolean {
  return (headers.get('originator') ?? '').startsWith('codex')
}
