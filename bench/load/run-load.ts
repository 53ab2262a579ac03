/** Starts a load process, gives it its order, and tells when the measured seconds begin and end. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { FromLoad, Order, Outcome, ToLoad } from './order.js'

export interface Watch {
  /** The measured seconds begin. */
  onMeasuring?: () => void
  /** They are over; requests may still be under way. */
  onMeasured?: () => void
  /** Ends the measured seconds early. */
  stop?: AbortSignal
}

/** Runs one load to its end. Fails if the process ends without a result. */
export function runLoad(order: Order, watch: Watch = {}): Promise<Outcome> {
  return new Promise((done, failed) => {
    const child = fork(join(import.meta.dirname, 'generator.js'), { stdio: 'inherit' })
    let outcome: Outcome | undefined
    const send = (message: ToLoad) => child.send(message)
    child.on('message', (message: FromLoad) => {
      if (message.kind === 'prepared') send({ kind: 'go' })
      else if (message.kind === 'measuring') watch.onMeasuring?.()
      else if (message.kind === 'measured') watch.onMeasured?.()
      else outcome = message.outcome
    })
    watch.stop?.addEventListener('abort', () => child.connected && send({ kind: 'stop' }))
    child.once('error', failed)
    child.once('exit', (code) =>
      outcome ? done(outcome) : failed(new Error(`the load process ended with ${code}`)),
    )
    send({ kind: 'order', order })
  })
}
