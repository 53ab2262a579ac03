/** Follows a training job until it ends: a bar, the loss and errors. */
import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../command.js'
import { readJson, type Target } from '../http-client.js'
import { Progress } from '../progress.js'
import { items, type Job, type JobEvent, jobPath } from './training-client.js'

const POLL_MS = 500

/** The metrics beside the bar: the first available of each list. */
const SHOWN: [label: string, names: string[]][] = [
  ['loss', ['loss', 'policy_loss']],
  ['reward', ['reward']],
  ['tokens/s', ['tokens_per_second']],
]

/**
 * Shows the job on `out` and returns it when it has ended. After an interrupt it keeps running; a hint says how to follow it.
 * @throws CommandError if it failed or was cancelled
 */
export async function follow(to: Target, id: string, out: NodeJS.WriteStream = process.stderr): Promise<Job> {
  const interrupted = () => {
    out.write(`\n${stillRunning(id)}\n`)
    process.exit(130)
  }
  process.once('SIGINT', interrupted)
  try {
    return await untilEnd(to, id, out)
  } finally {
    process.off('SIGINT', interrupted)
  }
}

/** The hint after an interrupt. */
export function stillRunning(id: string): string {
  return `the job continues; follow it with \`heddle jobs follow ${id}\`, cancel it with \`heddle jobs cancel ${id}\``
}

function pausedHint(id: string): string {
  return `train on with \`heddle jobs resume ${id}\`, or end it with \`heddle jobs cancel ${id}\``
}

async function untilEnd(to: Target, id: string, out: NodeJS.WriteStream): Promise<Job> {
  let progress: Progress | undefined
  let after = ''
  let steps = 0
  let more = ''
  let waiting = ''
  // The last event is stored before the job's row says so.
  let ended = false
  for (;;) {
    for await (const event of items<JobEvent>(to, jobPath(id, '/events'), after)) {
      after = event.id
      if (event.type === 'training_started')
        progress = new Progress('steps', Number(event.data.num_sequences ?? 0), out)
      if (event.type === 'training_paused')
        out.write(`paused: ${String(event.data.reason)}\n${pausedHint(id)}\n`)
      if (event.type === 'gradient_step') {
        steps++
        more = metricsText(event.data)
        progress?.at(steps, more)
      }
      ended ||= event.type === 'training_ended' || event.type === 'training_failed'
    }
    const job = ended || progress === undefined ? await readJson<Job>(to, jobPath(id)) : undefined
    if (job && hasEnded(job)) {
      progress?.end(steps, more)
      return whole(job)
    }
    if (job && job.status !== waiting && progress === undefined) {
      waiting = job.status
      if (job.status !== 'paused')
        out.write(job.status === 'queued' ? 'waiting for a worker\n' : 'a worker took the job\n')
    }
    await pause(POLL_MS)
  }
}

function hasEnded({ status }: Job): boolean {
  return status !== 'queued' && status !== 'paused' && status !== 'running'
}

function whole(job: Job): Job {
  if (job.status === 'completed') return job
  throw new CommandError(
    job.status === 'failed'
      ? `job ${job.id} failed: ${job.error_message ?? ''}`
      : `job ${job.id} was cancelled`,
  )
}

/** `, loss 0.0123, 456 tokens/s` */
export function metricsText(metrics: Record<string, unknown>): string {
  const shown = SHOWN.flatMap(([label, names]) => {
    const value = names.map((name) => metrics[name]).find((one) => typeof one === 'number')
    if (typeof value !== 'number') return []
    return label === 'tokens/s' ? `${shortNumber(value)} ${label}` : `${label} ${shortNumber(value)}`
  })
  return shown.map((one) => `, ${one}`).join('')
}

/** A readable number of digits. */
export function shortNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en-US')
  if (size >= 100) return value.toFixed(0)
  if (size >= 1) return value.toFixed(2)
  if (size >= 0.001 || size === 0) return value.toFixed(4)
  return value.toExponential(2)
}
