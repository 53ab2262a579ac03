/** Large JSON, parsed by a worker, which keeps it and hands out parts. */
import type { Cut } from './cut'

const waiting = new Map<number, (value: unknown) => void>()
let worker: Worker | undefined
let asked = 0

/** The newest only: who looks at one call looks at no other. */
export function readLarge(text: string): Promise<unknown> {
  worker?.terminate()
  worker = new Worker(new URL('./large.worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; value: unknown }>) => {
    waiting.get(data.id)?.(data.value)
    waiting.delete(data.id)
  })
  return ask({ text })
}

/** What was left out. */
export function readCut({ path }: Cut): Promise<unknown> {
  return ask({ path })
}

function ask(message: object): Promise<unknown> {
  const id = asked++
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    worker?.postMessage({ id, ...message })
  })
}
