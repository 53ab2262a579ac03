/** The demo model for tests: made once, where the model server's packages are; undefined where they are not set up. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.js'

const folder = join(root, 'model-server')
const python = join(folder, '.venv/bin/python')

/** The folder of the model, whose name is `demo`. */
export function demoModel(): string | undefined {
  if (!existsSync(join(folder, '.venv/.installed'))) return undefined
  const model = join(folder, '.venv/models/demo')
  execFileSync(python, ['-m', 'heddle_model_server', 'make-demo-model', model], {
    cwd: folder,
    timeout: 170_000,
  })
  return model
}
