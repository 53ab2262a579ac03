/** Runs the programs of instrumentations as processes of their own, with what a user sets to point them here. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runText } from '../support/program.js'
import { root } from '../support/root.js'
import type { SharedServer } from '../support/shared-server.js'
import type { Stub } from '../support/stub.js'
import { QUESTION } from './outline.js'
import { placeOf } from './places.js'
import { LIBRARIES, type Library, PAGES, type Row } from './rows.js'

export interface Target {
  readonly server: SharedServer
  readonly provider: Stub
  readonly project: string
  /** the address that spans are sent to, if not the server's */
  readonly via?: string
}

type Program = [whole: string, language: 'python' | 'js', program: string]

const ofProvider = ({ provider }: Target) => ({
  OPENAI_BASE_URL: `${provider.url}/v1`,
  OPENAI_API_KEY: 'sk-none',
  ANTHROPIC_BASE_URL: provider.url,
  ANTHROPIC_API_KEY: 'sk-none',
  GOOGLE_GEMINI_BASE_URL: provider.url,
  GEMINI_API_KEY: 'sk-none',
})

/** Replaces what stands for the server, a key, the provider and the project, as pages have them. */
const pointed = ({ server, provider, project, via = server.url }: Target, text: string) =>
  text
    .replaceAll('http://127.0.0.1:8080', via)
    .replaceAll('$WANDB_API_KEY', server.key)
    .replaceAll('$OPENAI_BASE_URL', `${provider.url}/v1`)
    .replaceAll('me/first', project)

/** Runs what a key of the rows says: a page of docs/frameworks, or a program of `programs/`. */
export async function runRow(key: string, target: Target): Promise<void> {
  const row: Library = { ...PAGES, ...LIBRARIES }[key]!
  const program = row.program ?? key
  await (program.endsWith('.md') ? runPage(program, row, target) : runProgram(program, row, target))
}

/** Runs the program of a page with the page's settings. */
async function runPage(page: string, { place, imports = {} }: Row, target: Target): Promise<void> {
  const text = pointed(target, readFileSync(join(root, 'docs/frameworks', page), 'utf8'))
  const [, language, program] = /^```(python|js)\n([\s\S]*?)^```$/m.exec(text) as unknown as Program
  const settings = [...text.matchAll(/^export (\w+)="?([^"\n]*)"?$/gm)].map(([, name, value]) => [
    name,
    value,
  ])
  const env = { ...ofProvider(target), ...Object.fromEntries(settings) }
  const imported = program.replace(/(?<= from ')[^']+(?=')/g, (name) => imports[name] ?? name)
  await runText(target.server, language, refusedToo(language, imported), env, 120, placeOf(place))
}

/** What a page's program does last: it asks, and ends what exports. */
const LAST = /^(?:with|await) [\s\S]*?(?=^(?:await )?provider\.shutdown)/m

/** A page's program that, once it has done what it does, asks what the provider refuses; one that asks that itself as it is. */
function refusedToo(language: 'python' | 'js', program: string): string {
  if (program.includes("'fail'")) return program
  return program.replace(LAST, (asks) => {
    const again = asks.replace(QUESTION, 'fail')
    if (again === asks) throw new Error('what the program asks last has no question')
    return language === 'js'
      ? `${asks}try {\n${again}} catch {}\n`
      : `${asks}try:\n${again.replace(/^(?=.)/gm, '    ')}except Exception:\n    pass\n`
  })
}

const LANGUAGES = { py: 'python', mjs: 'js', sh: 'sh', go: 'go', java: 'java' } as const

/** Runs a program of `programs/` with the settings of its row. */
async function runProgram(name: string, { place, settings = {} }: Library, target: Target): Promise<void> {
  const endings = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]
  const fileOf = (ending: string) => join(import.meta.dirname, 'programs', `${name}.${ending}`)
  const ending = endings.find((one) => existsSync(fileOf(one)))!
  const text = pointed(target, readFileSync(fileOf(ending), 'utf8'))
  const env = Object.entries({ ...SETTINGS, ...settings }).map(([key, value]) => [
    key,
    pointed(target, value),
  ])
  const all = { ...ofProvider(target), ...Object.fromEntries(env) }
  await runText(target.server, LANGUAGES[ending], text, all, 240, placeOf(place))
}

const SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:8080',
  OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20$WANDB_API_KEY,project_id=me/first',
}
