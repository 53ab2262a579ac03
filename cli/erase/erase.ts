/** `heddle erase`: what goes, and what it does not reach. */

import { MaskRule } from '../../contract/masking.js'
import { type Erased, type Erasure, erase, type Left, leftElsewhere } from '../../domain/erasure/erase.js'
import { ruleProblem } from '../../domain/masking/rule-set.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { CommandError } from '../command.js'
import { table } from '../table.js'

interface Report {
  dry: boolean
  erased: Erased[]
  left: Left[]
}

/** @throws CommandError for a pattern that can't be used */
export async function eraseIn(
  store: Store,
  erasure: Erasure,
  dry: boolean,
): Promise<{ value: Report; text: string }> {
  checkPattern(erasure)
  const erased = await erase(store, erasure, dry)
  const left = await leftElsewhere(store, erasure.project)
  return { value: { dry, erased, left }, text: textOf({ dry, erased, left }) }
}

function checkPattern({ what }: Erasure): void {
  if (!('pattern' in what)) return
  const { success, data } = MaskRule.safeParse({ name: 'erase', pattern: what.pattern })
  const problem = success ? ruleProblem(data) : 'it is too long'
  if (problem !== undefined) throw new CommandError(`this pattern can't be used: ${problem}`, 2)
}

function textOf({ dry, erased, left }: Report): string {
  const rows = erased.map(({ table: name, rows, how }) => [name, String(rows), how])
  const what = rows.length === 0 ? 'Nothing was found.\n' : table([['TABLE', 'ROWS', 'HOW'], ...rows])
  const todo = dry && rows.length > 0 ? '\nNothing was changed; the same command with --yes does it.\n' : ''
  const places = left.map(({ where, count }) => `  ${where}${count > 0 ? ` (${count}, not searched)` : ''}\n`)
  return `${what}${todo}
Not reached, and to be removed by hand where it matters:
${places.join('')}  backups that were made elsewhere or moved, exports (HEDDLE_EXPORT_TO, files of \`heddle export\`),
  copies of clients, and models that were trained on it
`
}
