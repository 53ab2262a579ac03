/** A job of many groups: what each process holds while it is taken and trained on. */
import { descendants, processBelow, residentBytes } from '../../test/support/processes.js'
import type { Server } from '../../test/support/server.js'
import type { TrainingCaller } from '../../test/support/training-caller.js'
import { type Row, short } from '../figures.js'
import { largeGroup } from './data.js'

const GROUPS = 10_000
/** Gradient steps that are waited for: the node reads as it goes, so later ones hold no more. */
const STEPS = 20
const LOOK_MS = 50

/** @param server with a worker and a node below it, which have trained before */
export async function measureLarge(caller: TrainingCaller, server: Server): Promise<(string | Row[])[]> {
  const model = await caller.model('large')
  const node = processBelow(server.pid, 'heddle_model_server serve')
  const pids = {
    'the service': server.pid,
    'the worker': processBelow(server.pid, 'trainer-worker'),
    'the node': node,
    'its trainer': descendants(node)[0]!,
  }
  const processes = Object.entries(pids).map(([name, pid]) => {
    const bytes = residentBytes(pid)
    return { name, pid, beforeBytes: bytes, peakBytes: bytes }
  })
  const timer = setInterval(() => {
    for (const one of processes) one.peakBytes = Math.max(one.peakBytes, residentBytes(one.pid))
  }, LOOK_MS)
  try {
    const began = performance.now()
    const { job, bytes } = await caller.stream(model, GROUPS, largeGroup)
    const seconds = (performance.now() - began) / 1000
    await caller.until(job.id, (now) => now.steps_done >= STEPS)
    await caller.cancel(job.id)
    const rows = processes.map(({ name, beforeBytes, peakBytes }) => ({
      ...{ process: name, 'before, MB': beforeBytes / 1e6, 'peak, MB': peakBytes / 1e6 },
      'more, MB': (peakBytes - beforeBytes) / 1e6,
    }))
    return [
      `A job of ${short(GROUPS)} groups of four trajectories, ${short(bytes / 1e6)} MB in one request, taken in ${short(seconds)} s; resident memory until its first steps are made:`,
      rows,
    ]
  } finally {
    clearInterval(timer)
  }
}
