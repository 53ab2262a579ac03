/** The environment that the model server and its libraries read, from its own list of settings. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './render.js'

const source = readFileSync(join(root, 'model-server/heddle_model_server/settings.py'), 'utf8')
const own = [...source.matchAll(/^ {4}(\w+): \w+ = setting\(/gm)].map(
  ([, name]) => `HEDDLE_NODE_${name!.toUpperCase()}`,
)

export const nodeSettings: ReadonlySet<string> = new Set([
  ...own,
  'HF_HOME',
  'AWS_ENDPOINT_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_REGION',
])
