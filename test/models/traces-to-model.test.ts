/**
 * From traces to a better model, as the guide has it: its script run as it stands, then the same by the command line,
 * preferences, and reinforcement learning on what people thought of answers.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatEndpoint } from '../support/chat-server.js'
import { finished } from '../support/command.js'
import { root } from '../support/root.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

const PROJECT = 'acme/weaving'
let chat: ChatEndpoint
const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'))
beforeAll(async () => {
  chat = await sharedChat()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

async function training<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${chat.url}/v1/preview${path}`, {
    method,
    headers: chat.authorization,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, text])
  return JSON.parse(text) as T
}

interface Job {
  id: string
  status: string
  error_message: string | null
}

describe('from traces to a better model', () => {
  it('the script of the guide shows the gain', async () => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      LANG: 'C.UTF-8',
      WANDB_BASE_URL: chat.server.url,
      WF_TRACE_SERVER_URL: chat.server.url,
      WANDB_API_KEY: chat.server.key,
      ...chat.clientEnv,
      HEDDLE_PROJECT: PROJECT,
      WANDB_ERROR_REPORTING: 'false',
      WEAVE_USE_SERVER_CACHE: 'false',
      WEAVE_IMPLICITLY_PATCH_INTEGRATIONS: 'false',
      PYTHONDONTWRITEBYTECODE: '1',
      // The SDK asks a package index for newer versions of itself: a proxy that isn't there answers at once.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    }
    const python = join(root, '.venv/bin/python')
    const script = join(root, 'docs/guides/traces_to_model.py')
    const { code, stdout, stderr } = await finished(python, [script], env, 150)
    expect([code, stderr.slice(-4000)]).toEqual([0, expect.any(String)])
    expect(stdout).toMatch(/6 of 6 rows to train on, such as .*What is the weft/)
    expect(stdout).toMatch(/100 steps, loss \d+\.\d\d → 0\.00\d\d/)
    expect(stdout).toContain('before: 0% right')
    expect(stdout).toContain('after: 100% right')
  })

  it('the command line does the same from calls, and plots it', async () => {
    const address = `artifact:///${PROJECT}/by-hand`
    const data = ['--calls', PROJECT, '--op', 'answer', '--thumbs-up']
    const shown = await chat.server.cli('train', '--model', `${PROJECT}/by-hand`, ...data, '--preview')
    expect(shown).toContain('6 of 9 rows would be used; skipped:')
    const options = ['--epochs', '50', '--batch-size', '3', '--learning-rate', '0.005']
    const trained = await chat.server.cli('train', '--model', `${PROJECT}/by-hand`, ...data, ...options)
    expect(trained).toContain(`trained: ${address}:step1`)
    expect(await chat.server.cli('chat', address, '-m', 'What is felt?', '--temperature', '0')).toBe(
      'Felt is pressed and not woven.\n',
    )
    const [, newest = ''] = (await chat.server.cli('jobs', 'list')).split('\n')
    expect(newest).toMatch(/by-hand +sft +completed +100\/100/)
    const job = newest.split(' ')[0] ?? ''
    expect(await chat.server.cli('curves', job)).toMatch(
      /^Loss\n.*┤.*Gradient norm.*Learning rate.*steps 1 to 100/s,
    )
    expect((await chat.server.cli('jobs', 'metrics', job, '--csv')).split('\n')).toHaveLength(102)
    expect(await chat.server.cli('jobs', 'logs', job)).toContain('3 rows were left out: 3 × ')
  })

  it('the page reads what it draws through the tracing interface', async () => {
    const page = await fetch(`${chat.server.url}/training`)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    const read = async (path: string) =>
      (await (await fetch(chat.server.url + path, { headers: chat.authorization })).json()) as {
        data: { id: string; metrics: Record<string, number> }[]
      }
    const { data: jobs } = await read('/v1/preview/training-jobs?limit=1')
    const { data: steps } = await read(`/v1/preview/training-jobs/${jobs[0]?.id}/metrics`)
    expect(steps).toHaveLength(100)
    expect(steps[99]?.metrics.loss).toBeLessThan(0.01)
  })

  it('the README trains on what its demo logged', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const commands = [...readme.matchAll(/^heddle ([^#\n]*)/gm)].map(([, words = '']) =>
      [...words.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word),
    )
    expect(commands.map(([name]) => name)).toEqual(['train', 'train', 'chat'])
    await chat.server.cli('demo')
    const said: string[] = []
    for (const words of commands)
      said.push(await chat.server.cli(...words, ...(words[0] === 'chat' ? ['--temperature', '0'] : [])))
    expect(said[0]).toContain('1 of 1 rows would be used\n')
    expect(said[1]).toContain('trained: artifact:///me/first/better:step1')
    expect(said[2]).toBe('The Zugspitze is 2,962 m high.\n')
  })

  it('the guide to preferences: from pairs of calls with feedback, from a file, and from calls alone', async () => {
    const guide = readFileSync(join(root, 'docs/guides/preferences.md'), 'utf8')
    const [line = ''] = /^\{"input".*$/m.exec(guide) ?? []
    const file = join(folder, 'pairs.jsonl')
    writeFileSync(file, `${line}\n`)
    const source = ['--calls', PROJECT, '--op', 'answer', '--thumbs-up']
    const model = ['--model', `${PROJECT}/preferred`, '--method', 'dpo', '--learning-rate', '0.002']
    const shown = await chat.server.cli('train', ...model, ...source, '--preview')
    const [found = '', skipped] = shown.split('; skipped:')
    expect([guide.includes(found), found, skipped]).toEqual([
      true,
      found,
      expect.stringContaining('3  There is no other'),
    ])
    const options = ['--epochs', '20', '--batch-size', '3', '--beta', '0.2']
    const trained = await chat.server.cli('train', ...model, ...source, ...options)
    expect(trained).toContain(`trained: artifact:///${PROJECT}/preferred:step1`)
    expect(await chat.server.cli('train', file, ...model)).toContain('preferred:step2')
    const judge = ['--model', `${PROJECT}/judged`, '--method', 'kto', ...source, '--undesirable-weight', '2']
    expect(await chat.server.cli('train', ...judge)).toContain('judged:step1')
    const [, third = '', second = '', first = ''] = (await chat.server.cli('jobs', 'list')).split('\n')
    expect([first, second, third]).toEqual([
      expect.stringMatching(/preferred +dpo +completed +20\/20/),
      expect.stringMatching(/preferred +dpo +completed +1\/1/),
      expect.stringMatching(/judged +kto +completed +2\/2/),
    ])
    const { data } = await training<{ data: { metrics: Record<string, number> }[] }>(
      'GET',
      `/training-jobs/${first.split(' ')[0]}/metrics`,
    )
    expect(data[0]?.metrics).toMatchObject({ loss: expect.closeTo(Math.log(2), 3), num_trajectories: 3 })
    expect(data.at(-1)?.metrics).toMatchObject({ 'rewards/accuracies': 1 })
    expect(data.at(-1)?.metrics['rewards/margins']).toBeGreaterThan(1)
    expect(await chat.server.cli('curves', first.split(' ')[0] ?? '')).toContain('Chosen answers preferred')
    const samples = await training<{ data: { sample: object }[] }>(
      'GET',
      `/training-jobs/${second.split(' ')[0]}/samples`,
    )
    expect(samples.data.map(({ sample }) => sample)).toEqual([
      {
        prompt: [{ role: 'user', content: 'What is the weft?' }],
        chosen: [{ role: 'assistant', content: 'The weft goes across the warp.' }],
        rejected: [{ role: 'assistant', content: 'It is a sort of wool.' }],
      },
    ])
  })

  it('what people thought of answers is a reward', async () => {
    const [entity, project] = PROJECT.split('/')
    const asked = { entity, project, name: 'rewarded', base_model: 'demo' }
    const model = await training<{ id: string }>('POST', '/models', asked)
    const training_data = { calls: { project_id: PROJECT }, reward: { from: 'reaction' } }
    const job = await training<Job>('POST', '/training-jobs', { model_id: model.id, training_data })
    let now = job
    await until(
      'the job to end',
      async () => {
        now = await training<Job>('GET', `/training-jobs/${job.id}`)
        return now.status !== 'queued' && now.status !== 'running'
      },
      60,
    )
    expect(now).toMatchObject({ status: 'completed', error_message: null })
    const { data } = await training<{ data: { type: string; data: object }[] }>(
      'GET',
      `/training-jobs/${job.id}/events`,
    )
    expect(data.map(({ type }) => type)).toEqual(['training_started', 'gradient_step', 'training_ended'])
    expect(data[1]?.data).toMatchObject({ num_groups_submitted: 3, num_groups_trainable: 3, reward: 0.5 })
  })
})
