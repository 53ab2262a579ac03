/**
 * What people without a key see at a link, bound. Each route asks for exactly the thing that the link is to; nothing of a
 * request but the token, the id of a call within the trace, and which rows of a run, reaches a reader.
 */
import type { z } from 'zod'
import { callStats, callsStreamQuery } from '../../contract/calls-read.js'
import { evalResultsQuery } from '../../contract/evaluation-results.js'
import { feedbackQuery, feedbackStats } from '../../contract/feedback-read.js'
import { REFS_LIMIT, refsReadBatch } from '../../contract/refs.js'
import type { ShareKind } from '../../contract/sharing.js'
import * as contract from '../../contract/sharing.js'
import { SAID_KINDS } from '../../domain/calls/kinds.js'
import type { Panel } from '../../domain/dashboards/panels.js'
import { callsRequest, feedbackRequest, granularityOf, RANGES } from '../../domain/dashboards/requests.js'
import { opNames } from '../../domain/refs/op-name.js'
import { UNLISTED } from '../../domain/web/pages.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import { asCaller } from '../../platform/fairness/caller.js'
import { type Bound, Reply, type Request, serve } from '../../platform/http/request.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { Lru } from '../../platform/lru/lru.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { fileNamed } from '../files/named.js'
import type { Parts } from '../parts.js'
import { callOf, callsOf, feedbackOf, ofKind, refsOf, resultsOf, runOf, usageOf } from './asked.js'
import { callerOf, type PageReads } from './page-reads.js'
import { dashboardOf, endOf, hashOf, type Share } from './share.js'
import type { Shares } from './shares.js'
import { factsLines, type ShownCall, shownBuckets, shownLines } from './shown.js'
import { type Dashboard, Targets } from './targets.js'
import { Visits } from './visits.js'

const JSON_TYPE = 'application/json'
/** However many look at a dashboard, its panels are read once in this time, in ms. */
const KEPT_MS = 20_000
const KEPT_LIMIT = 200
/** Panels of a dashboard that are read at a time. */
const PANELS_AT_ONCE = 4

interface PublicParts {
  parts: Pick<Parts, 'workers' | 'files' | 'store' | 'finder' | 'objectReader'>
  shares: Shares
  reads: PageReads
}

/** @param reads the routes of the pages */
export function publicShareRoutes({ parts, shares, reads }: PublicParts): Bound[] {
  const { workers, files } = parts
  const targets = new Targets(reads)
  const visits = new Visits()
  const kept = new Lru<{ answer: Promise<Reply>; until: number }>(KEPT_LIMIT)

  /** Binds a route to links of a kind; undefined: of all. */
  const at = <P extends z.ZodType<{ token: string }>, Q extends z.ZodType, A extends z.ZodType>(
    spec: RouteSpec<P, Q, z.ZodUndefined, A>,
    kind: ShareKind | undefined,
    show: (share: Share, request: Request<z.output<P>, z.output<Q>>) => Promise<Reply>,
  ): Bound =>
    serve(
      spec,
      async (request) => {
        const share = await shares.find(request.params.token)
        if (kind !== undefined && share.kind !== kind) throw errors.noShare()
        const { status, contentType, body, headers } = await asCaller(callerOf(share), () =>
          show(share, request as Request<z.output<P>, z.output<Q>>),
        )
        return new Reply(status, contentType, body, { ...headers, ...UNLISTED })
      },
      (_headers, _principal, _length, { token = '' }, address) => visits.enter(hashOf(token), address()),
    )

  /** The call of a trace as links show it. @throws 404 for one of another trace */
  const callIn = async (share: Share, id: string, signal: AbortSignal): Promise<ShownCall> => {
    const body = callOf(share, id)
    const line = await reads.bytes(share, callsStreamQuery, { body }, signal)
    if (line.length === 0) throw errors.notFound(`Call ${id}`)
    return workers.run('sharedCall', line)
  }

  const feedbackOn = async (share: Share, id: string, signal: AbortSignal) =>
    workers.run(
      'sharedFeedback',
      await reads.bytes(share, feedbackQuery, { body: feedbackOf(share, id) }, signal),
    )

  /** What the parts of objects of the project are that a call names. */
  const refsIn = async (share: Share, { refs }: ShownCall, signal: AbortSignal): Promise<Uint8Array> => {
    const body = refsOf(share, refs, REFS_LIMIT)
    if (body.refs.length === 0) return Buffer.from('{}')
    const answer = await reads.bytes(share, refsReadBatch, { body }, signal)
    return workers.run('sharedRefs', { refs: body.refs, answer }, answer.length)
  }

  const panel = async (share: Share, range: string, one: Panel, signal: AbortSignal) => {
    const start = new Date(Date.now() - RANGES[range]!).toISOString()
    const span = { project: share.project, granularity: granularityOf(range), opNames }
    if (one.metric === 'feedback') {
      const body = { ...feedbackRequest(one, span), start }
      const { buckets } = await reads.value(share, feedbackStats, { body }, signal)
      return { panel: one, buckets: shownBuckets(buckets, false) }
    }
    const body = { ...callsRequest(one, span), start }
    const { usage_buckets, call_buckets } = await reads.value(share, callStats, { body }, signal)
    const buckets = 'usage_metrics' in body ? usage_buckets : call_buckets
    return { panel: one, buckets: shownBuckets(buckets, one.by === 'user') }
  }

  const panelsOf = async (share: Share, { name, range, panels }: Dashboard): Promise<Reply> => {
    // It is read for all who look at it, so nobody who leaves ends it.
    const { signal } = new AbortController()
    const shown: Awaited<ReturnType<typeof panel>>[] = []
    for (let from = 0; from < panels.length; from += PANELS_AT_ONCE)
      shown.push(
        ...(await Promise.all(
          panels.slice(from, from + PANELS_AT_ONCE).map((one) => panel(share, range, one, signal)),
        )),
      )
    return Reply.json({ name, range, panels: shown })
  }

  return [
    at(contract.sharedRead, undefined, async (share, { signal }) => {
      const title = await targets.title(share, signal)
      if (title === undefined) throw errors.noShare()
      shares.count(share)
      const { kind, target } = share
      return Reply.json({
        ...{ kind, title, target: kind === 'dashboard' ? dashboardOf(target).name : target },
        expires_at: isoOfMicros(endOf(share, shares.daysMost)),
      })
    }),
    at(contract.sharedCalls, 'trace', async (share, { signal }) => {
      const body = callsOf(share)
      const { contentType, body: lines } = await reads.answer(share, callsStreamQuery, { body }, signal)
      if (typeof lines === 'string' || lines instanceof Uint8Array) throw errors.internal()
      return new Reply(200, contentType, shownLines(lines))
    }),
    at(contract.sharedFacts, 'trace', async (share, { signal }) => {
      const kinds = new Map<string, string>()
      const said = SAID_KINDS.map(async (kind) => {
        const those = await reads.lines(share, callsStreamQuery, { body: ofKind(share, kind) }, signal)
        for (const { id } of those) kinds.set(id, kind)
      })
      const body = usageOf(share)
      const [{ contentType, body: lines }] = await Promise.all([
        reads.answer(share, callsStreamQuery, { body }, signal),
        ...said,
      ])
      if (typeof lines === 'string' || lines instanceof Uint8Array) throw errors.internal()
      return new Reply(200, contentType, factsLines(lines, kinds))
    }),
    at(contract.sharedCall, 'trace', async (share, { params, signal }) => {
      const shown = await callIn(share, params.call_id, signal)
      const [feedback, refs] = await Promise.all([
        feedbackOn(share, params.call_id, signal),
        refsIn(share, shown, signal),
      ])
      const parts = ['{"call":', shown.call, ',"feedback":', feedback, ',"refs":', refs, '}']
      return new Reply(200, JSON_TYPE, Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    }),
    at(contract.sharedFile, 'trace', async (share, { params, query, signal }) => {
      const missing = errors.notFound(`File ${query.uri.slice(0, 200)}`)
      const { files: named } = await callIn(share, params.call_id, signal)
      if (!named.includes(query.uri)) throw missing
      const digest = await fileNamed(parts, share.project, query.uri)
      const file = await files.open(projectIdOf(share.project), digest, signal)
      if (!file) throw missing
      // The bytes are anybody's: a browser must not take them for a page of this service.
      const headers = { 'content-disposition': 'attachment' }
      return new Reply(200, 'application/octet-stream', file.content, headers)
    }),
    at(contract.sharedEvaluation, 'evaluation_run', async (share, { query, signal }) => {
      const [run] = await reads.lines(share, callsStreamQuery, { body: runOf(share) }, signal)
      if (run === undefined) throw errors.noShare()
      const text = await reads.bytes(share, evalResultsQuery, resultsOf(share, query), signal)
      return new Reply(200, JSON_TYPE, await workers.run('sharedJson', text))
    }),
    at(contract.sharedDashboard, 'dashboard', async (share, { signal }) => {
      const before = kept.get(share.id)
      const now = performance.now()
      if (before !== undefined && before.until > now) return before.answer
      const dashboard = await targets.dashboard(share, signal)
      if (dashboard === undefined) throw errors.noShare()
      const answer = panelsOf(share, dashboard)
      kept.set(share.id, { answer, until: now + KEPT_MS })
      return answer.catch((error: unknown) => {
        kept.delete(share.id)
        throw error instanceof HeddleError ? error : errors.internal()
      })
    }),
  ]
}
