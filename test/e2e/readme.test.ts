/**
 * The examples of README.md and of the guides as they stand there, with the lines that `heddle up` prints for each client.
 * What runs is the npm package as it is released, so what it leaves out isn't needed.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../support/command.js'
import { runText } from '../support/program.js'
import { root } from '../support/root.js'
import { emptyFolder, Server } from '../support/server.js'

const blocksOf = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language, text]) => ({ language: language!, text: text! }),
  )
const blocks = blocksOf('README.md')
const programs = blocks.filter(({ language }) => language === 'python' || language === 'js')
const reading = blocks.find(({ text }) => text.includes('curl') && text.includes('/calls/stream_query'))

const release = mkdtempSync(join(tmpdir(), 'heddle-package-'))
let server: Server
let printed: Record<string, string>
beforeAll(async () => {
  const stage = `import('./scripts/release/npm.mjs').then((m) => m.stageNpm(${JSON.stringify(release)}, '1.2.3'))`
  await promisify(execFile)(process.execPath, ['-e', stage], { cwd: root })
  for (const name of ['chdb', '@chdb', 'uWebSockets.js'])
    symlinkSync(join(root, 'node_modules', name), join(release, 'node_modules', name))
  const program = join(release, 'dist/cli/main.js')
  server = await Server.start({
    program,
    dataDir: emptyFolder(),
    env: { HEDDLE_SECRETS_KEY: 'ab'.repeat(32) },
  })
  // A shell reads the lines, as a person's would.
  const lines = [...server.output.matchAll(/^ *export (\w+)=.*$/gm)]
  const names = lines.map(([, name]) => name!)
  const script = `${lines.map(([line]) => line).join('\n')}\nfor name in ${names.join(' ')}; do echo "\${!name}"; done`
  const env = { ...process.env, HEDDLE_DEV_API_KEY: server.key }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
  printed = Object.fromEntries(stdout.split('\n').map((value, n) => [names[n] ?? '', value]))
})
afterAll(async () => {
  await server?.dispose()
  rmSync(release, { recursive: true, force: true })
})

it('the npm package holds nothing of tests, and has one version with the chart and the images', () => {
  expect(server.output).toContain('Heddle 1.2.3 is ready')
  const files = readdirSync(join(release, 'dist'), { recursive: true, encoding: 'utf8' })
  expect(files.filter((file) => /testing|\.test\.|\.map$|^bench/.test(file))).toEqual([])
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const named = (file: string, pattern: RegExp) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(pattern), ([, found]) => found)
  const found = [
    ...named('infra/helm/heddle/Chart.yaml', /^(?:version|appVersion): (.*)$/gm),
    ...named('infra/compose/compose.yaml', /image: heddle\/[\w-]+:(\S+)/g),
    ...named('docs/operate/install.md', /\/heddle\/(?:heddle|model-server):(\S+)/g),
  ]
  expect(found.length).toBeGreaterThan(5)
  expect([...new Set(found)]).toEqual([version])
})

it('the npm package takes no more than 15 MB', async () => {
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', 'tar -cz dist node_modules package.json | wc -c'],
    {
      cwd: release,
    },
  )
  expect(Number(stdout) / 1e6).toBeLessThan(15)
})

it('the npm package shows the pages', async () => {
  const page = await fetch(`${server.url}/signin`)
  const [, script = ''] = /<script type="module"[^>]*src="([^"]*)"/.exec(await page.text()) ?? []
  expect((await fetch(new URL(script, server.url))).status).toBe(200)
})

describe('the README', () => {
  it('has an example of each client', () => {
    const told = programs.map(({ language, text }) => `${language} ${/weave|opentelemetry/.exec(text)}`)
    expect(told.sort()).toEqual(['js opentelemetry', 'js weave', 'python opentelemetry', 'python weave'])
  })

  it.each(programs)('its $language example runs: $text', async ({ language, text }) => {
    await runText(server, language as 'python' | 'js', text, printed)
  })

  it('finds what they logged as it says', async () => {
    const script = reading!.text.replaceAll('http://127.0.0.1:8080', server.url)
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      env: { ...process.env, ...printed },
    })
    const found = stdout.trim().split('\n')
    // The npm SDK does not tell the names of arguments: the Python one's call is found.
    expect(found.map((line) => JSON.parse(line).output)).toEqual(['HELLO'])
    const all = await server.api.calls('me/first')
    expect(all.filter(({ output }) => output === 'HELLO')).toHaveLength(2)
    expect(all.filter(({ attributes }) => JSON.stringify(attributes).includes('my-model'))).toHaveLength(2)
  })
})

describe('the guides', () => {
  it.each(['queries', 'feedback', 'annotation', 'datasets', 'prompts'])(
    'the program of %s prints what its page says',
    async (name) => {
      const page = blocksOf(`docs/guides/${name}.md`)
      const all = (language: string) =>
        page.flatMap((block) => (block.language === language ? [block.text] : [])).join('\n')
      const output = await runText(server, 'python', all('python'), {
        ...{ ...printed, WEAVE_PRINT_CALL_LINK: 'false', WEAVE_LOG_LEVEL: 'ERROR' },
      })
      expect(output).toBe(all('text').replaceAll('\n\n', '\n'))
    },
  )

  it('the commands of a team’s page run', async () => {
    const commands = blocksOf('docs/operate/team.md').flatMap(({ language, text }) =>
      language === 'sh' ? [text] : [],
    )
    const script = `cd "$(mktemp -d)"; heddle() { ${process.execPath} ${main} "$@"; }\n${commands.join('\n')}`
    const env = { ...server.env, BACKUPS: join(server.dataDir, 'backups'), OPENAI_API_KEY: 'sk-of-a-test' }
    const { stdout } = await promisify(execFile)('bash', ['-ec', script], { env })
    for (const shown of ['nightly-ci', 'search/evaluations:write', 'OPENAI_API_KEY', '400'])
      expect(stdout).toContain(shown)
  })
})
