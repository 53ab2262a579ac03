import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { CLIENTS } from './lines.js'

it('whatever a link calls a project, lines for a terminal do nothing else', () => {
  const project = `me/'"; echo oops; $(echo oops >&2) \`echo oops\` \\`
  const target = { origin: 'http://127.0.0.1:1', project, key: 'hk_key' }
  for (const { name, steps } of CLIENTS)
    for (const { title, text } of steps(target)) {
      if (title !== 'In the terminal') continue
      // Only what it is called with is looked at.
      const shell = `curl() { printf '%s\\n' "$@"; }\n${text}\nprintf '%s' "$OTEL_EXPORTER_OTLP_TRACES_HEADERS"`
      const said = execFileSync('bash', ['-ec', shell], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      expect(said.split('\n'), name).not.toContain('oops')
      if (name === 'curl') expect(JSON.parse(said.split('\n')[6]!).batch[0].project_id).toBe(project)
    }
})
