/**
 * The service's overhead on training: gradient steps per second of a job through the service and of the recipe alone, in
 * turns; an event's delay until the caller sees it; the memory of a job of ten thousand groups; and whether the recipes
 * learn.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatServer } from '../../test/support/chat-server.js'
import { hasModelServer } from '../../test/support/demo-model.js'
import { TrainingCaller } from '../../test/support/training-caller.js'
import { budget, type Figures, type Row, spread } from '../figures.js'
import { say } from '../subject.js'
import { measureLarge } from './large.js'
import { measureLearning } from './learning.js'
import { alone, type Recipe, recipes, through } from './recipes.js'

const TURNS = 2
const LEAST_RATIO = 0.9
const MOST_MS = 1000

/** @throws Error where the model server is not installed */
export async function measureTraining(): Promise<Figures> {
  if (!hasModelServer()) throw new Error('Run `make model-server` first; or name other parts in BENCH_ONLY.')
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const chat = await ChatServer.start({ env: { HEDDLE_LOG_LEVEL: 'warn' } })
  const caller = new TrainingCaller(`${chat.url}/v1/preview`, chat.server.key)
  const figures: (string | Row[])[] = ['## Training']
  try {
    // The first job of a node loads torch's parts and the model.
    await through(caller, recipes[0]!, 'warm')
    const beside: Row[] = []
    for (const recipe of recipes) {
      say(`${recipe.name}: by itself and through the service`)
      beside.push(await measureBeside(caller, recipe, folder))
    }
    figures.push(
      `The demo model on the CPU: the recipe in a process of its own, and as a job through the service, ${TURNS} turns each; the best one counts. Steps are gradient steps, from the first event to the last, checkpoint included; milliseconds are from an event to its caller.`,
      beside,
    )
    say('a large job')
    figures.push(...(await measureLarge(caller, chat.server)))
  } finally {
    await chat.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
  say('what is learnt')
  figures.push(
    'What the recipes teach the demo model, from a new adapter; the worst of the seeds:',
    measureLearning(),
  )
  return figures
}

/** Alternates, so that both see the same machine. */
async function measureBeside(caller: TrainingCaller, recipe: Recipe, folder: string): Promise<Row> {
  const bare: number[] = []
  const service: number[] = []
  const late: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    bare.push(alone(recipe, folder))
    const { steps, latencies } = await through(caller, recipe, `${recipe.name}-${turn}`)
    service.push(steps)
    late.push(...latencies)
  }
  const [itself, served] = [Math.max(...bare), Math.max(...service)]
  const ms = spread(late)
  return {
    ...{ recipe: recipe.name, 'by itself, steps/s': itself, 'through the service': served },
    ...{ ratio: served / itself, 'target ratio': budget('≥', LEAST_RATIO, served / itself) },
    ...{ ...ms, 'ms max': Math.max(...late), 'target p99': budget('≤', MOST_MS, ms['ms p99']) },
    events: late.length,
  }
}
