/**
 * A session's thread: takes jobs from the front, answers with chunks, at most two of them unacknowledged.
 * Never ends before the process does: a leaving thread takes all connections of the process with it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { loadNative } from './native.js'
import type { FromSession, SessionSetup, ToSession } from './protocol.js'
import { Session, type Sink } from './session.js'

const window = 2

const port = parentPort
if (!port) throw new Error('this file is the entry of a worker thread')

const session = new Session(loadNative(), workerData as SessionSetup)
let credits = 0
let cancelled = false
let wake: (() => void) | undefined

const send = (message: FromSession, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

const sink: Sink = async (bytes) => {
  if (cancelled) return false
  // The buffer is handed over, not copied, where the chunk is all of it.
  const own = bytes.byteLength === bytes.buffer.byteLength
  send({ type: 'chunk', bytes: own ? bytes : bytes.slice() }, own ? [bytes.buffer] : [])
  credits--
  while (credits <= 0 && !cancelled) {
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  return !cancelled
}

port.on('message', (message: ToSession) => {
  if (message.type === 'run') {
    credits = window
    cancelled = false
    session.run(message.job, sink).then(
      (outcome) => send({ type: 'end', outcome }),
      (error: unknown) =>
        send({ type: 'error', message: error instanceof Error ? error.message : String(error) }),
    )
    return
  }
  if (message.type === 'forget') return session.forget()
  if (message.type === 'credit') credits++
  else cancelled = true
  wake?.()
  wake = undefined
})

session.open()
send({ type: 'open' })
