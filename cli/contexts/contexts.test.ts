import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Contexts, toldOrContext } from './contexts.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-contexts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = join(folder, 'in', 'contexts.json')
let contexts: Contexts
beforeEach(() => {
  rmSync(file, { force: true })
  contexts = new Contexts(file)
})

const PROD = { url: 'https://a.example', trainingUrl: 'https://t.example', key: 'hk_1' }

it('are kept for their user alone, and changed in part', () => {
  expect(contexts.current).toBe('local')
  contexts.set('prod', PROD)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  contexts.set('prod', { key: 'hk_2' })
  contexts.use('prod')
  const again = new Contexts(file)
  expect([again.current, ...again.all]).toEqual(['prod', ['prod', { ...PROD, key: 'hk_2' }]])
  again.remove('prod')
  expect([contexts.current, ...contexts.all]).toEqual(['local'])
})

it.each([
  ['a name with a blank', () => contexts.set('a b', PROD), "can't name a context"],
  ['the name of this machine', () => contexts.set('local', PROD), "can't name a context"],
  ['no address', () => contexts.set('new', { key: 'x' }), '--url'],
  ['use of an unknown one', () => contexts.use('nope'), 'unknown context "nope"'],
  ['removal of an unknown one', () => contexts.remove('nope'), 'unknown context "nope"'],
])('refuses %s', (_, act, reason) => expect(act).toThrow(reason))

it('says which file is broken', () => {
  contexts.set('prod', PROD)
  writeFileSync(file, '{')
  expect(() => contexts.all).toThrow(file)
})

describe('a command uses', () => {
  beforeEach(() => {
    contexts.set('prod', PROD)
    contexts.set('bare', { url: 'https://b.example' })
  })
  const { url, trainingUrl, key } = PROD
  it.each([
    ['this machine', {}, undefined, 'url', {}],
    ['what it is told', { url: 'http://x', key: 'k' }, 'prod', 'url', { url: 'http://x', key: 'k' }],
    ['no key of a context for another address', { url: 'http://x' }, 'prod', 'url', { url: 'http://x' }],
    ['the context it is told', { context: 'prod' }, 'bare', 'url', { url, key }],
    ['the context of the environment', {}, 'prod', 'trainingUrl', { url: trainingUrl, key }],
    ['another key at its address', { context: 'prod', key: 'k' }, undefined, 'url', { url, key: 'k' }],
    ['this machine on request', { context: 'local' }, 'prod', 'url', {}],
  ] as const)('%s', (_, told, configured, which, expected) =>
    expect(toldOrContext(told, configured, which, contexts)).toEqual(expected),
  )
  it('the current one', () => {
    contexts.use('prod')
    expect(toldOrContext({}, undefined, 'url', contexts)).toEqual({ url, key })
  })
  it.each([
    [{ url: 'http://x', context: 'prod' }, 'url', 'not both'],
    [{ context: 'bare', key: 'k' }, 'trainingUrl', 'no training address'],
    [{ context: 'bare' }, 'url', 'no key'],
    [{ context: 'nope' }, 'url', 'unknown context'],
  ] as const)('not %j', (told, which, reason) =>
    expect(() => toldOrContext(told, undefined, which, contexts)).toThrow(reason),
  )
})
