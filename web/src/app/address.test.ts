import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callPath, canonical, listAbove, objectPath, read, weavePath } from './address'
import { makeRouter } from './router'

const ODD = [
  'a/b/c',
  '/a//b/',
  'a?b=1',
  '#',
  '100%',
  '%2F',
  ' a  b ',
  '🙂',
  '.',
  '..',
  '~..',
  '~',
  '$id',
  '{a}',
  '*',
]
const ids = fc.oneof(fc.constantFrom(...ODD), fc.string({ minLength: 1, maxLength: 500, unit: 'binary' }))
const names = fc.oneof(
  fc.constantFrom('a b', '..', '$x', '100%?', 'ö#1'),
  fc.stringMatching(/^[^/\s]{1,50}$/),
)
const projects = fc.tuple(names, names).map((both) => both.join('/'))

const router = makeRouter(new QueryClient())

/** What the router reads from an address, after a browser and the router have written it in their ways. */
function shown(path: string) {
  const { publicHref } = router.buildLocation({ to: path })
  expect(publicHref).not.toMatch(/[?#]/)
  const { pathname } = new URL(publicHref, 'http://here')
  const location = router.parseLocation({ ...createMemoryHistory({ initialEntries: [pathname] }).location })
  const { entity, project, id } = router.matchRoutes(location).at(-1)!.params as Record<string, string>
  return { project: `${read(entity!)}/${read(project!)}`, id: read(id!) }
}

/** Holds for any project and any of `ids`. */
const always = (ids: fc.Arbitrary<string>, pathOf: (project: string, id: string) => string) =>
  fc.assert(
    fc.property(projects, ids, (project, id) => {
      expect(shown(pathOf(project, id))).toEqual({ project, id })
    }),
  )

describe('an address of any id opens the screen of that id', () => {
  it.each(['threads', 'agents/named', 'agents/conversations', 'leaderboards', 'dashboards', 'queues'])(
    '%s',
    (screen) => always(ids, (project, id) => weavePath(project, ...screen.split('/'), id)),
  )

  it('calls', () => always(ids, callPath))

  it.each(['op', 'object'] as const)('%ss', (kind) =>
    always(fc.stringMatching(/^[\w.-]{1,128}$/), (project_id, object_id) =>
      objectPath({ project_id, kind, object_id, digest: 'd1' }),
    ),
  )

  it.each(['a/b/c', 'https%3A//a/b', 'a/'])('%s, where an SDK left the slashes as they are', (id) =>
    expect(shown(canonical(`/me/x/weave/agents/conversations/${id}`))).toEqual({
      project: 'me/x',
      id: decodeURIComponent(id),
    }),
  )
})

it('the page of one thing is below a list, and a list is below none', () => {
  const list = weavePath('me/a b', 'threads')
  expect([listAbove(weavePath('me/a b', 'threads', 'a/b')), listAbove(list), listAbove('/settings')]).toEqual(
    [list, undefined, undefined],
  )
  expect(listAbove(callPath('me/x', '1'))).toBe(weavePath('me/x', 'traces'))
})

/** Ids of routes begin with /inside. */
it('no screen writes the address of a thing itself', () => {
  const folder = join(import.meta.dirname, '../screens')
  const writers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      /[`'"](?!\/inside\/)[^`'"\s]*\/(weave|r\/call)(\/|[`'"])/.test(
        readFileSync(join(folder, file), 'utf8'),
      ),
  )
  expect(writers).toEqual([])
})
