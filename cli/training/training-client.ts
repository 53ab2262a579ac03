/** The client of the training interface: address, key, pages, server-sent events. Knows no command. */
import { eventData } from '../../domain/providers/event-stream.js'
import type { JobKind } from '../../domain/training/jobs.js'
import { CommandError } from '../command.js'
import { keyFor, readJson, serverAt, type Target } from '../http-client.js'
import { reachable } from '../reachable.js'

/** A job of the training interface, with the fields that commands show. */
export interface Job {
  id: string
  model_id: string
  entity: string
  project: string
  model_name: string
  kind: JobKind
  status: 'queued' | 'paused' | 'running' | 'completed' | 'failed' | 'cancelled'
  created_at: string
  started_at: string | null
  finished_at: string | null
  error_message: string | null
  checkpoint_step: number | null
  steps_done: number
  steps_total: number | null
}

export interface JobEvent {
  id: string
  type:
    | 'training_started'
    | 'gradient_step'
    | 'training_ended'
    | 'training_failed'
    | 'group_rewarded'
    | 'group_refused'
    | 'held_out_check'
    | 'training_paused'
    | 'training_resumed'
  data: Record<string, unknown>
}

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
