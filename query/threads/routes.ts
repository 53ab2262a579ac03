import { threadsQuery, threadsStreamQuery } from '../../contract/threads.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { linesType } from '../../platform/http/accept.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import type { CallsParts } from '../calls/routes.js'
import { listThreads } from './list.js'
import { threadsStatement } from './statement.js'

export function threadsRoutes({ store, limits }: Pick<CallsParts, 'store' | 'limits'>): Bound[] {
  const reader = new CallReader(store, limits)
  const stream = serve(threadsStreamQuery, async ({ body, headers, signal }) => {
    const lines = await reader.lines(threadsStatement(body), signal)
    return new Reply(200, linesType(headers.get('accept')), lines)
  })
  const list = serve(threadsQuery, ({ body, signal }) => listThreads(reader, body, signal))
  return [stream, list]
}
