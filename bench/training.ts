/**
 * What the service takes from training: gradient steps a second of a job through the service beside the recipe by
 * itself, in turns; how long an event takes to its caller; and what a job of ten thousand groups takes of memory.
 * `node dist/bench/training.js`; BENCH_GROUPS: of that job (default 10,000).
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatServer } from '../test/support/chat-server.js'
import { demoModel, hasModelServer, modelServer, modelServerPython } from '../test/support/demo-model.js'
import { processBelow, residentBytes } from '../test/support/processes.js'
import { spread, table } from './figures.js'
import { type Job, TrainingCaller } from './training/caller.js'
import { conversation, group } from './training/data.js'

const TURNS = 2
const GROUPS = Number(process.env.BENCH_GROUPS ?? 10_000)
const MIB = 2 ** 20

interface Recipe {
  name: 'sft' | 'rl'
  lines: string[]
  config: Record<string, unknown>
  epochs: number
}

const recipes: Recipe[] = [
  {
    name: 'sft',
    lines: Array.from({ length: 64 }, (_, i) => JSON.stringify(conversation(i))),
    config: { batch_size: 2, learning_rate: 1e-4 },
    epochs: 6,
  },
  {
    name: 'rl',
    lines: Array.from({ length: 320 }, (_, i) => JSON.stringify(group(i))),
    config: { learning_rate: 1e-5 },
    epochs: 1,
  },
]

async function main(): Promise<void> {
  if (!hasModelServer()) throw new Error('run `make model-server` first')
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const chat = await ChatServer.start({ env: { HEDDLE_LOG_LEVEL: 'warn' } })
  const caller = new TrainingCaller(`${chat.url}/v1/preview`, chat.server.key)
  try {
    // The first job of a node loads torch's parts and the model.
    await through(caller, recipes[0]!, 'warm')
    const rows: string[][] = []
    for (const recipe of recipes) rows.push(await beside(caller, recipe, folder))
    process.stdout.write(
      `${table(['recipe', 'bare steps/s', 'through the service', 'ratio', 'event to caller ms p50 / p99'], rows)}\n`,
    )
    const memory = await large(caller, chat)
    process.stdout.write(
      `\n${table(['a job of', 'sent in s', 'bytes', 'service MiB before / peak', 'worker MiB before / peak'], [memory])}\n`,
    )
  } finally {
    await chat.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Turns about, so that both see the same machine. */
async function beside(caller: TrainingCaller, recipe: Recipe, folder: string): Promise<string[]> {
  const bare: number[] = []
  const service: number[] = []
  const late: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    bare.push(alone(recipe, folder))
    const { steps, latencies } = await through(caller, recipe, `${recipe.name}-${turn}`)
    service.push(steps)
    late.push(...latencies)
  }
  const [a, b] = [Math.max(...bare), Math.max(...service)]
  late.sort((x, y) => x - y)
  return [recipe.name, a.toFixed(2), b.toFixed(2), (b / a).toFixed(3), spread(late)]
}

/** Gradient steps a second of the recipe in a process of its own, from its first event to its last. */
function alone({ name, lines, config, epochs }: Recipe, folder: string): number {
  const file = join(folder, `${name}.jsonl`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const args = ['bench/training.py', '--model', demoModel(), '--recipe', name, '--data', file]
  args.push('--config', JSON.stringify(config), '--epochs', String(epochs))
  const said = execFileSync(modelServerPython, args, { cwd: modelServer, encoding: 'utf8', timeout: 240_000 })
  const { steps, seconds } = JSON.parse(said.trim().split('\n')[0]!) as { steps: number; seconds: number }
  return steps / seconds
}

/** The same through the service, by the times of its events. */
async function through(
  caller: TrainingCaller,
  { name, lines, config, epochs }: Recipe,
  model: string,
): Promise<{ steps: number; latencies: number[] }> {
  const id = await caller.model(model)
  const job =
    name === 'sft'
      ? await caller.sft(id, lines, { ...config, epochs })
      : await caller.rl(id, `[${lines.join(',')}]`, config)
  const { events, latencies } = await caller.follow(job.id)
  const [first, last] = [events[0]!, events.at(-1)!]
  if (last.type !== 'training_ended') throw new Error(`the job failed: ${JSON.stringify(last.data)}`)
  const seconds = (Date.parse(last.created_at) - Date.parse(first.created_at)) / 1000
  return { steps: (events.length - 2) / seconds, latencies }
}

/** A job of many groups: what it takes of the service's memory to take it, and of the worker's to begin it. */
async function large(caller: TrainingCaller, chat: ChatServer): Promise<string[]> {
  const model = await caller.model('large')
  const service = chat.server.pid
  const worker = processBelow(service, 'trainer-worker')
  const before = [residentBytes(service), residentBytes(worker)]
  const peak = [...before]
  const timer = setInterval(() => {
    peak[0] = Math.max(peak[0]!, residentBytes(service))
    peak[1] = Math.max(peak[1]!, residentBytes(worker))
  }, 50)
  const began = performance.now()
  const { job, bytes } = await caller.stream(model, GROUPS, group)
  const seconds = (performance.now() - began) / 1000
  await caller.until(
    job.id,
    (now: Job) => now.steps_done >= 3 || (now.status !== 'queued' && now.status !== 'running'),
  )
  await caller.cancel(job.id)
  clearInterval(timer)
  const mib = (at: number) => `${(before[at]! / MIB).toFixed(0)} / ${(peak[at]! / MIB).toFixed(0)}`
  return [`${GROUPS} groups`, seconds.toFixed(1), `${(bytes / MIB).toFixed(0)} MiB`, mib(0), mib(1)]
}

await main()
