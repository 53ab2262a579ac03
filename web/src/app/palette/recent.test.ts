import { expect, it } from 'vitest'
import { withVisit } from './recent'

it('a page is there once, at its newest address, before those shown earlier', () => {
  const visit = (path: string) => ({ path, title: path })
  const visits = ['/a/b/weave/traces', '/a/b/weave/threads?q=x', '/a/b/weave/threads?q=y'].reduce(
    (all, path) => withVisit(all, visit(path)),
    [] as ReturnType<typeof withVisit>,
  )
  expect(visits.map(({ path }) => path)).toEqual(['/a/b/weave/threads?q=y', '/a/b/weave/traces'])
  const many = Array.from({ length: 50 }, (_, i) => visit(`/${i}`)).reduce(withVisit, visits)
  expect([many.length, many[0]!.path]).toEqual([20, '/49'])
})
