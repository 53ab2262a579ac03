/** Coding agents with the demo model, and their sessions as training data by the lines of `docs/guides/sessions.md`. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { demoModel } from '../support/demo-model.js'
import type { Endpoint } from '../support/endpoint.js'
import { root } from '../support/root.js'
import { until } from '../support/until.js'

/** A demo model below `folder` whose context holds a coding agent's first request. @returns its folder */
export function longDemoModel(folder: string): string {
  const model = join(folder, 'demo')
  cpSync(demoModel(), model, { recursive: true })
  const path = join(model, 'config.json')
  const config = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...config, max_position_embeddings: 131_072 }))
  return model
}

/** Looks at what the calls of the project would train, then trains on it. */
export async function trainOnSessions(server: Endpoint, project: string): Promise<void> {
  const guide = readFileSync(join(root, 'docs/guides/sessions.md'), 'utf8')
  const [preview, train] = [...guide.matchAll(/^heddle (train .*)$/gm)].map(([, words = '']) =>
    words.replaceAll('me/first', project).split(' '),
  )
  await until('the session to be logged with its tokens', async () => {
    const calls = await server.api.calls(project, { include_token_ids: true })
    return calls.some(({ token_ids }) => token_ids)
  })
  expect(await server.cli(...preview!)).toContain('rows would be used')
  expect(await server.cli(...train!)).toContain(`trained: artifact:///${project}/from-sessions:step`)
}
