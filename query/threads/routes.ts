/** The route that lists threads, bound. */
import { threadsStreamQuery } from '../../common/contract/threads.js'
import { type Bound, Reply, serve } from '../../common/http/request.js'
import { linesType } from '../accept.js'
import { CallReader } from '../calls/reader.js'
import type { CallsParts } from '../calls/routes.js'
import { threadsStatement } from './statement.js'

export function threadsRoutes({ store, limits }: Pick<CallsParts, 'store' | 'limits'>): Bound[] {
  const reader = new CallReader(store, limits)
  const stream = serve(threadsStreamQuery, async ({ body, headers, signal }) => {
    const lines = await reader.lines(threadsStatement(body), signal)
    return new Reply(200, linesType(headers.get('accept')), lines)
  })
  return [stream]
}
