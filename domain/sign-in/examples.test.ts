/** The files that docs/operate/sign-in.md shows are ones that can be used. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSignIn } from './settings.js'

const FOLDER = 'infra/sign-in'
const textOf = (file: string) => readFileSync(`${FOLDER}/${file}`, 'utf8')

it.each(readdirSync(FOLDER).filter((file) => file.endsWith('.json')))('%s is read', (file) => {
  expect(readSignIn(textOf(file)).providers.length).toBeGreaterThan(0)
})

it('Dex and Heddle mean the same', () => {
  const [provider] = readSignIn(textOf('dex.json')).providers
  const dex = parse(textOf('dex.yaml')) as {
    issuer: string
    staticClients: { id: string; secretEnv: string; redirectURIs: string[] }[]
  }
  const [client] = dex.staticClients
  expect(dex.issuer).toBe(provider!.issuer)
  expect(client).toMatchObject({ id: provider!.client_id, secretEnv: provider!.client_secret_env })
  expect(client!.redirectURIs.map((one) => new URL(one).pathname)).toEqual([
    `/sign-in/callback/${provider!.name}`,
  ])
})
