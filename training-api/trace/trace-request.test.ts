import { expect, it } from 'vitest'
import { Principal } from '../../platform/http/principal.js'
import { traceRequest } from './trace-request.js'

const caller = (traceProject: string) =>
  new Principal('u', 'u', [{ scope: 'acme', right: 'write' }], 'k', traceProject)
const project = (headers: Record<string, string>, key = '') =>
  traceRequest(new Map(Object.entries(headers)), caller(key))?.project

it.each([
  ['nowhere, unless somebody asks', {}, '', undefined],
  ['where the header says', { 'x-heddle-project': ' acme/one ' }, '', 'acme/one'],
  ['where the SDK says', { 'openai-project': 'acme/two' }, '', 'acme/two'],
  ['not where the SDK says something else', { 'openai-project': 'proj_123' }, '', undefined],
  ['where the key says', {}, 'acme/key', 'acme/key'],
  ['where the header says before the key', { 'x-heddle-project': 'acme/one' }, 'acme/key', 'acme/one'],
  ['where the SDK says before the key', { 'openai-project': 'acme/two' }, 'acme/key', 'acme/two'],
  ['nowhere where the header says so', { 'x-heddle-project': 'none' }, 'acme/key', undefined],
] as const)('%s', (_, headers, key, expected) => expect(project(headers, key)).toBe(expected))

it('a project that is none, or of somebody else, is refused', () => {
  expect(() => project({ 'x-heddle-project': 'acme' })).toThrow('entity/project')
  expect(() => project({ 'x-heddle-project': 'other/one' })).toThrow()
})

it('a traceparent puts the call under a span', () => {
  const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const headers = new Map([
    ['x-heddle-project', 'acme/one'],
    ['traceparent', `00-${trace}-${span}-01`],
  ])
  expect(traceRequest(headers, caller(''))).toMatchObject({ traceId: trace, parentId: span })
})

it.each([
  ['x-heddle-thread', 'a session', 'a session'],
  ['x-claude-code-session-id', 's', 's'],
  ['session-id', 's', 's'],
  ['session_id', 's', 's'],
  ['x-heddle-thread', 'x'.repeat(2000), null],
  ['x-heddle-thread', ' ', null],
])('the header %s of a session names the thread', (name, value, threadId) => {
  const headers = new Map([
    ['x-heddle-project', 'acme/one'],
    [name, value],
  ])
  expect(traceRequest(headers, caller(''))).toMatchObject({ threadId })
})
