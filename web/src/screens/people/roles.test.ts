import { expect, it } from 'vitest'
import { chosenOf, permissionsOf, rolesFor } from './roles'

const role = (name: string, entity: string | null) => ({
  ...{ name, entity, title: '', permissions: [], version: null },
})

it('a scope gets the built-in roles, those of everybody and those of its entity', () => {
  const roles = [role('viewer', null), role('all', '*'), role('mine', 'acme'), role('theirs', 'other')]
  expect(rolesFor(roles, 'acme/one')).toEqual(['viewer', 'all', 'mine'])
  expect(rolesFor(roles, '*')).toEqual(['viewer', 'all'])
})

it('a form has the strongest right of each area', () => {
  const chosen = chosenOf(['Feedback:write', '*:read', 'Feedback:read', 'a:b:admin'])
  expect(chosen).toEqual({ Feedback: 'write', '*': 'read', 'a:b': 'admin' })
  expect(permissionsOf({ ...chosen, Keys: '' }).sort()).toEqual(['*:read', 'Feedback:write', 'a:b:admin'])
})
