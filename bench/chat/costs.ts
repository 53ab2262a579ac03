/** CPU time of each process that takes part in a chat completion. Linux only. */
import { readFileSync } from 'node:fs'
import { cpuSeconds, family } from '../processes.js'

const UNIT = 'CPU ms'

export class Costs {
  private readonly groups: readonly (readonly [string, number[]])[]

  /** Ids of the server and of the model node; the others are the server's children. */
  constructor(server: number, node: number) {
    const below = family(server).slice(1)
    const named = (text: string) => below.filter((pid) => commandOf(pid).includes(text))
    const worker = named('inference-worker')
    const redis = named('redis-server')
    const known = new Set([server, ...worker, ...redis])
    this.groups = [
      ['node', family(node)],
      ['worker', worker],
      ['Redis', redis],
      ['service', [server]],
      ['store and others', below.filter((pid) => !known.has(pid))],
      ['callers', [process.pid]],
    ]
  }

  get names(): string[] {
    return this.groups.map(([name]) => `${name} ${UNIT}`)
  }

  get none(): number[] {
    return this.groups.map(() => 0)
  }

  /** CPU seconds so far, in the order of names. */
  now(): number[] {
    return this.groups.map(([, pids]) => cpuSeconds(pids))
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
