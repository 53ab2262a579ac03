/**
 * The recipes that are measured, and both ways to run one: by itself, in a process of its own, and through the service.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoModel, modelServer, modelServerPython } from '../../test/support/demo-model.js'
import type { TrainingCaller } from '../../test/support/training-caller.js'
import { conversation, group } from './data.js'

export interface Recipe {
  name: 'sft' | 'rl'
  /** JSON texts */
  lines: string[]
  config: Record<string, unknown>
  epochs: number
}

export const recipes: readonly Recipe[] = [
  {
    name: 'sft',
    lines: Array.from({ length: 64 }, (_, i) => JSON.stringify(conversation(i))),
    config: { batch_size: 2, learning_rate: 1e-4 },
    epochs: 16,
  },
  {
    name: 'rl',
    lines: Array.from({ length: 400 }, (_, i) => JSON.stringify(group(i))),
    config: { learning_rate: 1e-5 },
    epochs: 1,
  },
]

/** Gradient steps a second of the recipe in a process of its own, from its first event to its last. */
export function alone({ name, lines, config, epochs }: Recipe, folder: string): number {
  const file = join(folder, `${name}.jsonl`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const args = ['bench/training.py', '--model', demoModel(), '--recipe', name, '--data', file]
  args.push('--config', JSON.stringify(config), '--epochs', String(epochs))
  const said = execFileSync(modelServerPython, args, { cwd: modelServer, encoding: 'utf8', timeout: 240_000 })
  const { steps, seconds } = JSON.parse(said.trim().split('\n')[0]!) as { steps: number; seconds: number }
  return steps / seconds
}

/**
 * The same as a job of a new model, by the times of its events; and how late each step was seen, in ms.
 * @throws Error when the job fails
 */
export async function through(
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
