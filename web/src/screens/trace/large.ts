/** Large JSON, decoded and parsed by a worker, which keeps it and hands out parts. */
import { received, type Sent } from '../../api/json'
import type { Cut } from './cut'

const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
let worker: Worker | undefined
let asked = 0

/** The newest only: who looks at one call looks at no other. @param bytes are handed over, not copied */
export function readLarge(bytes: ArrayBuffer): Promise<unknown> {
  worker?.terminate()
  worker = new Worker(new URL('./large.worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ id: number } & ({ found: Sent } | { error: string })>) => {
      const one = waiting.get(data.id)
      waiting.delete(data.id)
      if ('found' in data) one?.resolve(received(data.found))
      else one?.reject(new Error(data.error))
    },
  )
  return ask({ bytes }, [bytes])
}

/** What was left out. */
export function readCut({ path, from, to }: Cut): Promise<unknown> {
  return ask({ part: { path, ...(from !== undefined && { from, to }) } })
}

function ask(message: object, handedOver: Transferable[] = []): Promise<unknown> {
  const id = asked++
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker?.postMessage({ id, ...message }, handedOver)
  })
}
