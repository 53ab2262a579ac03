/** Each place that says what is exported names all of it. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EXPORTED } from '../sql/views.js'

it.each([
  'cli/data/commands.ts',
  'docs/operate/README.md',
  'docs/operate/export.md',
  'infra/helm/heddle/values.yaml',
  'platform/config/settings.ts',
])('%s', (file) => {
  const said = /.*as Parquet files/.exec(readFileSync(file, 'utf8'))?.[0].toLowerCase()
  for (const { name } of EXPORTED) expect(said).toContain(name)
})
