/** Training by a real model node, as the published client does it, unchanged: by examples, and by rewards of its own. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer } from '../support/chat-server.js'
import { runPython } from '../support/program.js'

let chat: ChatServer
beforeAll(async () => {
  chat = await ChatServer.start()
})
afterAll(() => chat?.dispose())

interface Found {
  taught: { types: string[]; said: string }
  toy: {
    rewards: number[]
    steps: number[]
    step: number
    metrics: Record<string, number>[]
    first: number
    newest: number
  }
}

it('the published client trains models and chats with what came of it', async () => {
  const env = { ...chat.clientEnv, LITELLM_LOCAL_MODEL_COST_MAP: 'True', WANDB_MODE: 'disabled' }
  const { taught, toy } = await runPython<Found>(chat.server, 'art_training', env, 150, '.venv/training')
  expect(taught.types).toEqual(['training_started', ...Array(8).fill('gradient_step'), 'training_ended'])
  expect(taught.said).toBe('It guides the warp.')
  expect(toy.steps).toEqual(toy.steps.map((_, i) => i + 1))
  expect(toy.step).toBe(toy.steps.length)
  for (const [i, metrics] of toy.metrics.entries()) {
    expect(metrics.reward).toBeCloseTo(toy.rewards[i]!, 5)
    // A job's first step begins with the policy that was asked: it finds the samples as likely as they were then.
    expect(Math.abs(metrics['loss/kl_div']!)).toBeLessThan(1e-3)
  }
  expect(toy.newest).toBeGreaterThan(toy.rewards[0]! + 0.4)
  expect(toy.newest).toBeGreaterThan(toy.first)
})
