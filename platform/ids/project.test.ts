import { expect, it } from 'vitest'
import { isProjectName } from './project.js'

it.each(['a/b', 'é/ü', 'acme/проект', 'my team/My Project (old)', '100%/x', `a/${'b'.repeat(254)}`])(
  '%s names a project',
  (name) => expect(isProjectName(name)).toBe(true),
)

it.each([
  ...['', 'a', '/b', 'a/', 'a/b/c', ' a/b', 'a /b', 'a/ b', 'a/b ', 'a/b  c', 'a/b\tc', 'a/b\u00a0c'],
  ...['a/b\n', 'a/\u0000', 'a/\ud800', `a/${'b'.repeat(255)}`],
])('%j names none', (name) => expect(isProjectName(name)).toBe(false))
