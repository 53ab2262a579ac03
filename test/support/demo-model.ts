/**
 * The demo model for tests and benchmarks, made once for each content of what makes it and kept in
 * `model-server/.cache`. Knows where the model server's packages lie, and nothing of what they do.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.js'

/** The folder that the model server runs in. */
export const modelServer = join(root, 'model-server')
/** The interpreter with its packages. */
export const modelServerPython = join(modelServer, '.venv/bin/python')

/** Whether `make model-server` has been here. */
export function hasModelServer(): boolean {
  return existsSync(join(modelServer, '.venv/.installed'))
}

/** The folder of the model, `…/demo`; made in seconds where it isn't there. Fails where the packages are missing. */
export function demoModel(): string {
  return made('demo', '--chats')
}

/** The same of the one that makes embeddings, `…/demo-embedding`. */
export function demoEmbedder(): string {
  return made('demo-embedding', '--embeds')
}

function made(name: string, kind: string): string {
  if (!hasModelServer())
    throw new Error('The Python model server is not set up: run `make model-server`, then the tests again.')
  const model = join(modelServer, '.cache', makers(), name)
  if (existsSync(join(model, 'config.json'))) return model
  execFileSync(modelServerPython, ['-m', 'heddle_model_server', 'make-demo-model', kind, model], {
    cwd: modelServer,
    timeout: 170_000,
  })
  return model
}

/** Names the content of the files that make the model, so that no test meets one of another maker. */
function makers(): string {
  const hash = createHash('sha256')
  const demo = join(modelServer, 'heddle_model_server/demo')
  for (const name of readdirSync(demo).sort())
    if (/\.(py|jinja)$/.test(name)) hash.update(readFileSync(join(demo, name)))
  return hash.digest('hex').slice(0, 12)
}
