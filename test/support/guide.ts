/** Runs the commands of a guide as a reader would: all blocks of its shell, in one shell. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished, main } from './command.js'
import { root } from './root.js'

/** The text of `docs/guides/<name>.md`. */
export const guideText = (name: string): string => readFileSync(join(root, `docs/guides/${name}.md`), 'utf8')

/** Its blocks of shell. */
export const shellIn = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!)

/** @param env which server is asked, and what else the guide has set @returns how the commands ended */
export function runGuide(name: string, env: NodeJS.ProcessEnv) {
  const script = [`heddle() { '${process.execPath}' '${main}' "$@"; }`, ...shellIn(guideText(name))]
  return finished('bash', ['-euc', script.join('\n')], env, 120)
}
