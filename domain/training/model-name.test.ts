import { expect, it } from 'vitest'
import { parseModelName } from './model-name.js'

const id = '01a1fd3a-cd02-76bb-b03a-a196b7a7db1c'

it.each([
  ['demo', { kind: 'base', name: 'demo' }],
  ['Qwen/Qwen3-8B', { kind: 'base', name: 'Qwen/Qwen3-8B' }],
  ['artifact:///e/p/n', { kind: 'artifact', entity: 'e', project: 'p', name: 'n', step: undefined }],
  ['artifact:///e/p/n:latest', { kind: 'artifact', entity: 'e', project: 'p', name: 'n', step: undefined }],
  ['wandb-artifact:///e/p/n:step12', { kind: 'artifact', entity: 'e', project: 'p', name: 'n', step: 12 }],
  [id, { kind: 'id', id, step: undefined }],
  [`${id.toUpperCase()}:step3`, { kind: 'id', id, step: 3 }],
  ['artifact:///e/p/n:v0', undefined],
  [`${id}:stepx`, undefined],
  ['artifact:///e/p', { kind: 'base', name: 'artifact:///e/p' }],
])('%s', (text, meant) => {
  expect(parseModelName(text)).toEqual(meant)
})
