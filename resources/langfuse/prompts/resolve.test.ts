/** Prompts that are made of others. */
import { expect, it } from 'vitest'
import { type Part, resolved } from './resolve.js'

const tag = (name: string, which = 'version=1') => `@@@langfusePrompt:name=${name}|${which}@@@`
const part = (name: string, prompt: Part['prompt']): Part => ({
  ...{ id: `${name}:1`, name, version: 1, prompt },
  type: typeof prompt === 'string' ? 'text' : 'chat',
})

/** Resolves `a` among prompts by name. */
function of(prompts: Record<string, Part['prompt']>) {
  const find = async (name: string) => (prompts[name] === undefined ? undefined : part(name, prompts[name]))
  return resolved(part('a', prompts.a!), find)
}

it('puts parts in, also those of parts, and says which', async () => {
  expect(await of({ a: `1 ${tag('b')} ${tag('b', 'label=x')} 4`, b: `2${tag('c')}`, c: '3' })).toEqual({
    prompt: '1 23 23 4',
    graph: {
      root: { id: 'a:1', name: 'a', version: 1 },
      dependencies: {
        'a:1': [{ id: 'b:1', name: 'b', version: 1 }],
        'b:1': [{ id: 'c:1', name: 'c', version: 1 }],
      },
    },
  })
  const message = (content: string) => ({ role: 'user', content })
  expect((await of({ a: [message(tag('b')), { type: 'placeholder', name: 'x' }], b: 'hi' })).prompt).toEqual([
    message('hi'),
    { type: 'placeholder', name: 'x' },
  ])
  expect(await of({ a: 'alone @@@langfusePrompt:other@@@' })).toEqual({
    prompt: 'alone @@@langfusePrompt:other@@@',
    graph: null,
  })
})

const chain = Object.fromEntries('abcdefgh'.split('').map((name, i) => [name, tag('abcdefgh'[i + 1] ?? 'z')]))

it.each([
  ['what is not there', { a: tag('b') }, 'was not found'],
  ['a chat inside', { a: tag('b'), b: [] }, 'is a chat'],
  ['a part of itself', { a: tag('b'), b: tag('a') }, 'a part of itself'],
  ['too many levels', chain, 'more than 5 times'],
  ['very many parts', { a: tag('b').repeat(20), b: tag('c').repeat(20), c: 'x' }, 'more than 200 prompts'],
  ['what becomes long', { a: tag('b').repeat(20), b: 'x'.repeat(100_000) }, 'characters'],
])('refuses %s', async (_, prompts, problem) => {
  await expect(of(prompts as Record<string, Part['prompt']>)).rejects.toThrow(problem)
})
