/**
 * What the service takes from training: gradient steps a second of a job through the service beside the recipe by
 * itself, in turns; how long an event takes to its caller; what a job of ten thousand groups takes of memory; and
 * whether the recipes teach.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatServer } from '../../test/support/chat-server.js'
import { hasModelServer } from '../../test/support/demo-model.js'
import { TrainingCaller } from '../../test/support/training-caller.js'
import { percentile } from '../figures.js'
import { type Large, measureLarge } from './large.js'
import { type Learnt, measureLearning } from './learning.js'
import { alone, type Recipe, recipes, through } from './recipes.js'

const TURNS = 2

export interface Beside {
  recipe: string
  /** gradient steps a second of the best turn */
  bare: number
  service: number
  /** ms from an event's time to when its caller had it */
  p50: number
  p99: number
  max: number
  events: number
}

export interface Training {
  turns: number
  beside: Beside[]
  large: Large
  learnt: Learnt[]
}

/** @throws Error where the model server is not installed */
export async function measureTraining(onProgress: (text: string) => void): Promise<Training> {
  if (!hasModelServer()) throw new Error('Run `make model-server` first; or name other parts in BENCH_ONLY.')
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const chat = await ChatServer.start({ env: { HEDDLE_LOG_LEVEL: 'warn' } })
  const caller = new TrainingCaller(`${chat.url}/v1/preview`, chat.server.key)
  let measured: Pick<Training, 'beside' | 'large'>
  try {
    // The first job of a node loads torch's parts and the model.
    await through(caller, recipes[0]!, 'warm')
    const beside: Beside[] = []
    for (const recipe of recipes) {
      onProgress(`${recipe.name}: by itself and through the service`)
      beside.push(await measureBeside(caller, recipe, folder))
    }
    onProgress('a large job')
    measured = { beside, large: await measureLarge(caller, chat.server) }
  } finally {
    await chat.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
  onProgress('what is learnt')
  return { turns: TURNS, ...measured, learnt: measureLearning() }
}

/** Turns about, so that both see the same machine. */
async function measureBeside(caller: TrainingCaller, recipe: Recipe, folder: string): Promise<Beside> {
  const bare: number[] = []
  const service: number[] = []
  const late: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    bare.push(alone(recipe, folder))
    const { steps, latencies } = await through(caller, recipe, `${recipe.name}-${turn}`)
    service.push(steps)
    late.push(...latencies)
  }
  late.sort((a, b) => a - b)
  return {
    ...{ recipe: recipe.name, bare: Math.max(...bare), service: Math.max(...service) },
    ...{ p50: percentile(late, 0.5), p99: percentile(late, 0.99), max: late.at(-1)!, events: late.length },
  }
}
