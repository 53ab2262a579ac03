import { expect, it } from 'vitest'
import { guidanceOf, optionsOf, sourceOf } from './start'

const now = Date.parse('2026-06-01T00:00:00Z')

it('a dataset is named by its newest version', () => {
  const fields = { from: 'dataset', dataset: 'good answers', reward: 'none', minReward: '1' }
  expect(sourceOf('e/p', fields, {}, now)).toEqual({ dataset: 'weave:///e/p/object/good%20answers:latest' })
})

it('calls are those of the table, with rewards and a template', () => {
  const given = {
    reward: 'scorer',
    rewardName: 'right',
    minReward: '0.5',
    prompt: '{inputs.q}',
    completion: '{output}',
  }
  const source = sourceOf('e/p', { from: 'calls', q: 'status:success', ...given }, { all: true }, now)
  expect(source).toMatchObject({
    calls: { project_id: 'e/p', filter: { trace_roots_only: false } },
    reward: { from: 'scorer', name: 'right' },
    min_reward: 0.5,
    template: { prompt: '{inputs.q}', completion: '{output}' },
  })
  expect(JSON.stringify(source.calls)).toContain('summary.weave.status')
  expect(() => sourceOf('e/p', { from: 'calls', q: '(' }, {}, now)).toThrow()
})

it('options are those of the kind', () => {
  const given = { learningRate: '0.01', batchSize: '2', epochs: '' }
  expect(optionsOf('sft', given)).toEqual({ learning_rate: 0.01, batch_size: 2 })
  expect(optionsOf('rl', given)).toEqual({ learning_rate: 0.01 })
  expect(optionsOf('kto', { beta: '0.2' })).toEqual({ beta: 0.2 })
})

it('a scorer rewards, and held-out rows are watched, by the newest versions of objects', () => {
  const given = {
    reward: 'judge',
    judge: 'a b',
    rewardPath: '',
    check: 'held',
    checkRows: '8',
    checkEvery: '',
  }
  expect(guidanceOf('e/p', 'rl', given)).toEqual({
    reward: { scorer: 'weave:///e/p/object/a%20b:latest' },
    check: { dataset: 'weave:///e/p/object/held:latest', rows: 8 },
  })
  expect(guidanceOf('e/p', 'rl', { reward: 'reaction', check: '' })).toEqual({})
  expect(guidanceOf('e/p', 'sft', given)).toEqual({})
  expect(sourceOf('e/p', { ...given, from: 'dataset', dataset: 'x' }, {}, now)).not.toHaveProperty(
    'reward.from',
  )
})
