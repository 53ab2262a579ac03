import { threadsQuery, threadsStreamQuery } from '../../contract/threads.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { linesType } from '../../platform/http/accept.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import type { CallsParts } from '../calls/routes.js'
import { keysOfGroups } from '../totals/totals.js'
import { ofLatest } from './latest.js'
import { listThreads } from './list.js'
import { threadsStatement } from './statement.js'

export function threadsRoutes({ store, limits }: Pick<CallsParts, 'store' | 'limits'>): Bound[] {
  const reader = new CallReader(store, limits)
  const stream = serve(threadsStreamQuery, async ({ body, headers, signal }) => {
    const request = await ofLatest((statement) => reader.rows(statement, signal), body)
    const lines = await reader.lines(threadsStatement(request), signal)
    return new Reply(200, linesType(headers.get('accept')), lines)
  })
  const keys = keysOfGroups(store, reader, 'thread')
  const list = serve(threadsQuery, ({ body, signal }) => listThreads(reader, keys, body, signal))
  return [stream, list]
}
