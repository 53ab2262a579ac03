/** The client of the training interface: address, key, pages, server-sent events. Knows no command. */
import type { getJob, listEvents } from '../../contract/training-jobs.js'
import { eventData } from '../../domain/providers/event-stream.js'
import { CommandError } from '../command.js'
import type { AnswerTo } from '../contract-client.js'
import { keyFor, readJson, serverAt, type Target } from '../http-client.js'
import { reachable } from '../reachable.js'

export type Job = AnswerTo<typeof getJob>
export type JobEvent = AnswerTo<typeof listEvents>['data'][number]

interface Page<T> {
  data: T[]
  has_more: boolean
  last_id: string
}

/** Address and key of the training interface: as given, else those of this machine. */
export function trainingTarget(
  told: { url?: string; key?: string },
  config: {
    host: string
    trainingPort: number
    trainingUrl: string | undefined
    dataDir: string
    devApiKey: string | undefined
  },
): Target {
  const here = config.trainingUrl ?? `http://${reachable(config.host)}:${config.trainingPort}`
  return { url: serverAt(told.url ?? here).replace(/\/v1$/, ''), key: keyFor(told, config) }
}

/** Every item of a paged list. @param after the id of the last known item */
export async function* items<T extends { id: string }>(
  to: Target,
  path: string,
  after = '',
): AsyncGenerator<T, void, void> {
  for (let last = after; ; ) {
    const query = `limit=100${last === '' ? '' : `&after=${encodeURIComponent(last)}`}`
    const page = await readJson<Page<T>>(to, `${path}${path.includes('?') ? '&' : '?'}${query}`)
    yield* page.data
    if (!page.has_more || page.data.length === 0) return
    last = page.last_id
  }
}

/** The data of server-sent events until `[DONE]`. @throws CommandError for an error among them, or a stream without end */
export async function* serverEvents(answer: Response): AsyncGenerator<unknown, void, void> {
  const pieces: AsyncIterable<Uint8Array> | null = answer.body
  for await (const data of pieces ? eventData(pieces) : []) {
    if (data === '[DONE]') return
    const value = JSON.parse(data) as { error?: { message?: string } }
    if (value.error) throw new CommandError(value.error.message ?? data)
    yield value
  }
  throw new CommandError('the answer was cut off')
}

/** The path of a job, or of something about it. */
export function jobPath(id: string, rest = ''): string {
  return `/v1/preview/training-jobs/${encodeURIComponent(id)}${rest}`
}
