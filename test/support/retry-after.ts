/** What SDKs do when the service is busy: they send the request again after the time that it names. */
import { setTimeout as pause } from 'node:timers/promises'

interface Told {
  status: number
  headers: Record<string, unknown>
}

/** Times that a request is sent. */
const MOST_TRIES = 5

/** The first answer that is not a 503 with Retry-After, or the last of {@link MOST_TRIES}. */
export async function retryingWhenBusy<A extends Told>(send: () => Promise<A>): Promise<A> {
  for (let tries = 1; ; tries++) {
    const answer = await send()
    const seconds = Number(answer.headers['retry-after'])
    if (answer.status !== 503 || !seconds || tries === MOST_TRIES) return answer
    await pause(seconds * 1000)
  }
}
