import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { createKey } from '../../test/support/keys.js'
import { freshPage, inspect, server, visit } from './browser.js'

const entity = `t${hex(4)}`
const project = `${entity}/one`
const name = `ann-${hex(4)}@example.com`
let admin: string

beforeAll(async () => {
  await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project)] })
  admin = await createKey(server, entity, 'admin')
})

it('somebody is invited, comes by the link, gets another role, makes a key and is removed', async () => {
  const page = await visit('/settings?tab=people&part=invitations', admin)
  await page.getByText('No invitation is open').waitFor()
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const inviting = page.getByRole('dialog', { name: 'Invite somebody' })
  await inviting.getByLabel('entity, or a project').fill(entity)
  await inviting.getByLabel('Role').selectOption('viewer')
  await inviting.getByRole('button', { name: 'Make a link' }).click()
  const link = new URL((await inviting.getByText('/invitation#').textContent()) ?? '')
  await inspect(page)
  await inviting.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('row', { name: /^who has the link/ }).waitFor()

  const person = await freshPage({ width: 390, height: 800 })
  await person.goto('/invitation#nothing')
  await person.getByLabel('or a user name').fill(name)
  await person.getByRole('button', { name: 'Accept the invitation' }).click()
  await person.getByRole('alert').filter({ hasText: 'used before, was revoked or has expired' }).waitFor()
  await inspect(person)
  await person.goto(link.pathname + link.hash)
  await person.getByLabel('or a user name').fill(name)
  await person.getByLabel('Your name').fill('Ann')
  await person.getByRole('button', { name: 'Accept the invitation' }).click()
  await person.getByRole('link', { name: project }).waitFor()
  expect(person.url()).not.toContain(link.hash)

  // Who administers nothing sees the members, and can't change them.
  await person.goto('/settings?tab=people')
  await person.getByRole('row', { name: new RegExp(`^${name}`) }).waitFor()
  await expect.poll(() => person.getByRole('button', { name: 'Add a member' }).count()).toBe(0)
  await expect.poll(() => person.getByRole('tab', { name: 'Users' }).count()).toBe(0)
  await person.getByRole('tab', { name: 'Keys' }).click()
  await person.getByRole('button', { name: 'Make a personal key' }).click()
  const making = person.getByRole('dialog', { name: 'Make a personal key' })
  await making.getByLabel('Label').fill('laptop')
  await making.getByLabel('Addresses').fill('127.0.0.0/8')
  await inspect(person)
  await making.getByRole('button', { name: 'Make it' }).click()
  const key = (await making.getByText(/^hk_/).textContent()) ?? ''
  await making.getByRole('button', { name: 'Close', exact: true }).click()
  await person.getByRole('table', { name: 'Personal keys' }).getByText('its user’s').waitFor()
  const statusOfKey = async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ project_id: project })
    return (await fetch(`${server.url}/calls/stream_query`, { method: 'POST', headers, body })).status
  }
  expect(await statusOfKey()).toBe(200)
  await person.getByRole('button', { name: /^Change the key/ }).click()
  const changing = person.getByRole('dialog', { name: 'Change a key' })
  await changing.getByLabel('Label').fill('desktop')
  await changing.getByLabel('Addresses').fill('127.0.0.0/8, nowhere')
  await inspect(person)
  await changing.getByRole('button', { name: 'Change it' }).click()
  await changing.getByRole('alert').filter({ hasText: '"nowhere" is no address' }).waitFor()
  await changing.getByLabel('Addresses').fill('192.0.2.0/24')
  await changing.getByRole('button', { name: 'Change it' }).click()
  await changing.waitFor({ state: 'detached' })
  await expect.poll(statusOfKey, { timeout: 15_000 }).toBe(403)
  await person.getByRole('button', { name: /^Change the key/ }).click()
  await expect.poll(() => changing.getByLabel('Label').inputValue()).toBe('desktop')
  await changing.getByLabel('Addresses').fill('')
  await changing.getByRole('button', { name: 'Change it' }).click()
  await expect.poll(statusOfKey, { timeout: 15_000 }).toBe(200)
  await inspect(person)

  await page.getByRole('tab', { name: 'Members' }).click()
  await page.getByLabel(`Role of ${name}`).selectOption('member')
  await expect.poll(() => page.getByLabel(`Role of ${name}`).inputValue()).toBe('member')
  await page.reload()
  await page.getByLabel('Scope: * (everything), an entity, or a project').fill(entity)
  await expect.poll(() => page.getByLabel(`Role of ${name}`).inputValue()).toBe('member')
  await inspect(page)
  await page.getByLabel('Find a member').fill('nobody-at-all')
  await page.getByText('No member matches').waitFor()
  await page.getByLabel('Find a member').fill(name.slice(0, 8).toUpperCase())
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor()

  // She leaves, and is added again.
  await person.goto('/settings?tab=people')
  await person.getByLabel('Scope: * (everything), an entity, or a project').fill(entity)
  await person.getByRole('button', { name: 'Leave' }).click()
  const leaving = person.getByRole('dialog', { name: `Leave ${entity}` })
  await inspect(person)
  await leaving.getByRole('button', { name: 'Leave' }).click()
  await leaving.waitFor({ state: 'detached' })
  await expect.poll(statusOfKey, { timeout: 15_000 }).toBe(403)
  const { users } = JSON.parse((await server.api.get(`/users?query=${name}`)).text) as {
    users: { user_id: string }[]
  }
  const seat = { scope: entity, user_id: users[0]!.user_id, role: 'viewer' }
  expect((await server.api.send('PUT', '/members', seat)).status).toBe(200)
  await page.reload()
  await page.getByLabel('Scope: * (everything), an entity, or a project').fill(entity)
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('row', { name: new RegExp(`^${name}`) }).waitFor({ state: 'detached' })
  expect(await statusOfKey()).toBe(403)
})

it('roles, teams and service accounts are made, and change what people may', async () => {
  const page = await visit('/settings?tab=people&part=roles', admin)
  await page.getByRole('row', { name: /^owner built in/ }).waitFor()
  await page.getByRole('button', { name: 'Make a role' }).click()
  const role = page.getByRole('dialog', { name: 'Make a role' })
  await role.getByLabel('or an entity').fill(entity)
  await role.getByLabel('Name').fill('critic')
  await role.getByLabel('Feedback').selectOption('write')
  await inspect(page)
  await role.getByRole('button', { name: 'Save it' }).click()
  await page.getByRole('row', { name: /^critic.*Feedback:write/ }).waitFor()
  // Somebody else changes it while the form is open.
  await page.getByRole('button', { name: 'Change critic' }).click()
  const changed = page.getByRole('dialog', { name: 'Change a role' })
  await changed.getByLabel('Title').fill('mine')
  const theirs = { title: 'theirs', permissions: ['*:read'], version: 1 }
  expect((await server.api.send('PUT', `/roles/${entity}/critic`, theirs)).status).toBe(200)
  await changed.getByRole('button', { name: 'Save it' }).click()
  await changed.getByRole('alert').filter({ hasText: 'changed by somebody else meanwhile' }).waitFor()
  await changed.getByRole('button', { name: 'Start over from what it is now' }).click()
  await changed.getByRole('button', { name: 'Save it' }).click()
  await page.getByRole('row', { name: /^critic.*theirs/ }).waitFor()
  await inspect(page)

  await page.getByRole('tab', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'Make a service account' }).click()
  const account = page.getByRole('dialog', { name: 'Make a service account' })
  const robot = `robot-${entity}`
  await account.getByLabel('User name').fill(robot)
  await account.getByLabel('entity, or a project').fill(project)
  await account.getByLabel('Role').selectOption('critic')
  await account.getByRole('button', { name: 'Make it' }).click()
  await page.getByRole('row', { name: new RegExp(`^${robot} service`) }).waitFor()
  await inspect(page)

  // What it has goes to another account.
  const heir = `heir-${entity}`
  const made = await server.api.send('POST', '/users', { username: heir, scope: project, role: null })
  expect(made.status).toBe(200)
  await page.getByRole('button', { name: `Hand over from ${robot}` }).click()
  const handing = page.getByRole('dialog', { name: 'Hand over' })
  await handing.getByLabel('To the user').fill(heir)
  await inspect(page)
  await handing.getByRole('button', { name: 'Hand over' }).click()
  await handing.getByText(`has got roles over ${project}, and 0 keys`).waitFor()
  await handing.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('row', { name: new RegExp(`^${heir} service.*critic`) }).waitFor()

  await page.getByRole('tab', { name: 'Teams' }).click()
  await page.getByRole('button', { name: 'Make a team' }).click()
  const team = page.getByRole('dialog', { name: 'Make a team' })
  await team.getByLabel('or an entity').fill(entity)
  await team.getByLabel('Name').fill('judges')
  await team.getByRole('button', { name: 'Make it' }).click()
  await page.getByRole('button', { name: 'Open the team judges' }).click()
  const judges = page.getByRole('dialog', { name: 'Team judges' })
  await judges.getByLabel('User').fill('nobody-at-all')
  await judges.getByRole('button', { name: 'Put in' }).click()
  await judges.getByRole('alert').filter({ hasText: 'no user called nobody-at-all' }).waitFor()
  await judges.getByLabel('User').fill(robot)
  await judges.getByRole('button', { name: 'Put in' }).click()
  await judges.getByRole('button', { name: `Take ${robot} out` }).waitFor()
  await judges.getByLabel('Name').fill('jury')
  await judges.getByRole('button', { name: 'Rename' }).click()
  const jury = page.getByRole('dialog', { name: 'Team jury' })
  await jury.getByRole('button', { name: `Take ${robot} out` }).waitFor()
  await inspect(page)
})
