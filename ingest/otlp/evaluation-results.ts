/** How calls were judged, as events say it: feedback on the call, the same however often an event comes. */
import { JUDGEMENTS } from '../../domain/conventions/table.js'
import type { RunnableFeedback } from '../../domain/feedback/runnable.js'
import { derivedId } from '../../platform/ids/derived.js'
import type { Fields } from './span-events.js'

/** Results that become feedback, in one request; the others are only kept with their spans. */
export const MAX_RESULTS = 1000
const MAX_NAME = 128

/** Whether an event of this name says how a call was judged. */
export const isJudgement = (event: string): boolean => Object.hasOwn(JUDGEMENTS, event)

/** What an event is about, and its time. */
export interface Judged {
  readonly project: string
  readonly traceId: string
  readonly callId: string
  /** µs since the epoch */
  readonly at: number
}

/** The results in a batch of requests. */
export class EvaluationResults {
  #feedback: RunnableFeedback[] = []
  #userId = ''
  #limit = 0

  /** A request of this user begins. Returns the number of results before. */
  begin(userId: string): number {
    this.#userId = userId
    this.#limit = this.#feedback.length + MAX_RESULTS
    return this.#feedback.length
  }

  /** Takes what an event of {@link JUDGEMENTS} says; returns whether there was room. */
  add(judged: Judged, event: string, fields: Fields): boolean {
    if (this.#feedback.length >= this.#limit) return false
    this.#feedback.push(feedbackOf(judged, this.#userId, event, fields))
    return true
  }

  /** Drops what was added after `count`. */
  cut(count: number): void {
    this.#feedback.length = count
  }

  /** All of them; begins anew. */
  taken(): RunnableFeedback[] {
    const feedback = this.#feedback
    this.#feedback = []
    return feedback
  }
}

function feedbackOf(
  { project, traceId, callId, at }: Judged,
  userId: string,
  event: string,
  fields: Fields,
): RunnableFeedback {
  const keys = JUDGEMENTS[event]!
  const said = (names: readonly string[]) =>
    names.map((one) => fields.get(one)).find((text) => text !== undefined)
  const name = nameOf(said(keys.name)) || keys.unnamed
  const parts = (['score', 'label', 'explanation'] as const).flatMap((part) => {
    const text = said(keys[part])
    return text === undefined ? [] : [`"${part}":${text}`]
  })
  const payload = `{"output":{${parts.join(',')}}}`
  return {
    ...{ project, callId, userId, name, payload, runnableRef: '', callRef: '', madeAt: at },
    id: derivedId(JSON.stringify([project, traceId, callId, at, name, payload])),
  }
}

/** @param json what the event says */
function nameOf(json = 'null'): string {
  const name: unknown = JSON.parse(json)
  return typeof name === 'string' ? name.slice(0, MAX_NAME).toWellFormed().trim() : ''
}
