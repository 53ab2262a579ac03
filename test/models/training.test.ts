/** Training by a real model node, as the published client does it, unchanged: by examples, and by rewards of its own. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { ChatEndpoint } from '../support/chat-server.js'
import { runPython } from '../support/program.js'
import { sharedChat } from '../support/shared-server.js'
import { TrainingCaller } from '../support/training-caller.js'

let chat: ChatEndpoint
beforeAll(async () => {
  chat = await sharedChat()
})

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

/** Fields of the client that change nothing of what is learnt. */
const PASSED_OVER = [
  'verbose',
  'plot_tensors',
  'logprob_calculation_chunk_size',
  'moe_routing_replay_strict',
  // A job always leaves a checkpoint.
  'save_checkpoint',
]

interface Fields {
  options: Record<string, string[]>
  sft: Record<string, string[]>
  create: { rl: string[]; sft: string[] }
  trajectory: string[]
  group: string[]
  history: string[]
}

it('every field of the published client is done, refused, or passed over on purpose', async () => {
  const fields = await runPython<Fields>(chat.server, 'art_fields', {}, 30, '.venv/training')
  const answer = await fetch(`${chat.url}/openapi.json`)
  const { components } = (await answer.json()) as {
    components: { schemas: Record<string, { properties: object }> }
  }
  const known = (schema: string) => Object.keys(components.schemas[schema]?.properties ?? {})
  const options = [...known('ExperimentalTrainingConfig'), ...PASSED_OVER]
  const unknown = (names: string[], among: string[]) => names.filter((name) => !among.includes(name))
  expect({
    options: unknown(Object.values(fields.options).flat(), options),
    sft: unknown(Object.values(fields.sft).flat(), known('SftTrainingConfig')),
    rl: unknown(fields.create.rl, known('RlJobCreate')),
    sftBody: unknown(fields.create.sft, known('SftJobCreate')),
    trajectory: unknown([...fields.trajectory, ...fields.history], known('Trajectory')),
    group: unknown(fields.group, known('TrajectoryGroup')),
  }).toEqual({ options: [], sft: [], rl: [], sftBody: [], trajectory: [], group: [] })
})

describe('a sample that a node can not use', () => {
  const logs = async (job: string) => {
    const url = `${chat.url}/v1/preview/training-jobs/${job}/logs?limit=100`
    const { data } = (await (await fetch(url, { headers: chat.authorization })).json()) as {
      data: { message: string }[]
    }
    return data.map(({ message }) => message).join('\n')
  }
  const user = { role: 'user', content: 'What is the weft?' }
  const said = (content: unknown) => ({ role: 'assistant', content })
  const caller = () => new TrainingCaller(`${chat.url}/v1/preview`, chat.server.key)

  it('is left out of fine-tuning, counted and named', async () => {
    const model = await caller().model('left-sft')
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }
    const lines = [[user, said('The weft goes across.')], [image, said('A loom.')], [said('Hello!')]]
    const job = await caller().sft(
      model,
      lines.map((messages) => JSON.stringify({ messages })),
      { batch_size: 1 },
    )
    const { events } = await caller().follow(job.id)
    const steps = events.filter(({ type }) => type === 'gradient_step').map(({ data }) => data)
    expect(events.at(-1)).toMatchObject({ type: 'training_ended' })
    expect(steps.map((data) => [data['data/num_left_out'], data.num_trajectories])).toEqual([
      [1, 1],
      [1, 0],
      [1, 1],
    ])
    expect(await logs(job.id)).toMatch(/left out: Line 2 of the training data .*no text/)
  })

  it('is left out of reinforcement learning, counted and named', async () => {
    const model = await caller().model('left-rl')
    const trajectory = (content: string, reward: number, token?: string) => ({
      messages_and_choices: [
        user,
        {
          index: 0,
          finish_reason: 'stop',
          message: said(content),
          logprobs: token === undefined ? null : { content: [{ token, logprob: -1 }] },
        },
      ],
      reward,
    })
    const trajectories = [
      trajectory('Up.', 1),
      trajectory('Down.', 0),
      trajectory('Left.', 0.5, 'token_id:7'),
    ]
    const job = await caller().rl(model, JSON.stringify([{ trajectories }]), {})
    const { events } = await caller().follow(job.id)
    expect(events.map(({ type }) => type)).toEqual(['training_started', 'gradient_step', 'training_ended'])
    expect(events[1]?.data).toMatchObject({ 'data/num_left_out': 1, num_trajectories: 2, num_datums: 2 })
    expect(await logs(job.id)).toContain(
      "left out: trajectory_groups[0].trajectories[2].messages_and_choices[1] has logprobs that don't belong",
    )
    // Where nothing is left, the job fails at its first attempt.
    const none = await caller().rl(
      model,
      JSON.stringify([{ trajectories: [trajectories[2], trajectories[2]] }]),
      {},
    )
    expect(await caller().until(none.id, () => false)).toMatchObject({
      status: 'failed',
      attempt: expect.any(Number),
      error_message: expect.stringContaining('All of the training data is left out. trajectory_groups[0]'),
    })
    expect((await logs(none.id)).match(/Attempt \d/g)).toHaveLength(1)
  })
})
