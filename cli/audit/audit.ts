/** `heddle audit`: who did what, as a server or the store of this machine has it. */
import { type AuditEntry, auditExport, auditQuery, auditVerify } from '../../contract/audit.js'
import type { Head } from '../../domain/audit/line.js'
import { type Checked, verifyAudit } from '../../domain/audit/verify.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { CommandError } from '../command.js'
import { type AnswerTo, answerOf } from '../contract-client.js'
import { post, type Target } from '../http-client.js'
import { readNamed } from '../named-file.js'
import { momentOf } from '../option-values.js'
import { writeOut } from '../output.js'
import { list, type Shown, timeText } from '../shown.js'

export interface FilterOptions {
  scope: string
  since?: string
  until?: string
  user?: string
  category?: string
  action?: string
}

interface ListOptions extends FilterOptions {
  outcome?: string
  limit: number
}

function filterOf({ scope, since, until, user, category, action }: FilterOptions) {
  const times = { since: momentOf('--since', since), until: momentOf('--until', until) }
  return { scope, ...times, user, category, action }
}

/** The largest page that a server gives. */
const PAGE = 1000

/** The newest entries. */
export async function auditList(to: Target, { outcome, limit, ...filter }: ListOptions): Promise<Shown> {
  const entries: AuditEntry[] = []
  let cursor: string | null = null
  do {
    const asked = { ...filterOf(filter), outcome, limit: Math.min(PAGE, limit - entries.length), cursor }
    const page: AnswerTo<typeof auditQuery> = await answerOf(to, auditQuery, asked)
    entries.push(...page.entries)
    cursor = page.next_cursor
  } while (cursor !== null && entries.length < limit)
  return list(entries, ['TIME', 'WHO', 'ACTION', 'OUTCOME', 'WHERE', 'TARGET'], cells, 'nothing')
}

function cells(entry: AuditEntry): string[] {
  const { began_at, username, remote_address, action, outcome, project, entity, target, count } = entry
  return [
    timeText(began_at),
    username || remote_address || '-',
    action,
    count > 1 ? `${outcome} ${count} times` : outcome,
    project || entity || '-',
    Object.entries(target)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' ')
      .slice(0, 120) || '-',
  ]
}

/** Writes the lines as they are. @param out `-`: the standard output */
export async function exportAudit(
  to: Target,
  { format, out, ...filter }: FilterOptions & { format: string; out: string },
): Promise<void> {
  await writeOut(out, async function* () {
    const { body } = await post(to, auditExport.path, { ...filterOf(filter), format })
    yield* body as AsyncIterable<Uint8Array>
  })
}

/** The end of a chain as {@link headText} writes it. @throws CommandError */
export function headFrom(text: string): Head {
  const [, chain, seq, hash] = /^([\w-]{1,100}):(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (chain === undefined || seq === undefined || hash === undefined)
    throw new CommandError(`"${text}" is not the end of a chain as \`heddle audit verify\` prints it`, 2)
  return { chain, seq: Number(seq), hash }
}

/** Those that a file has, one in each line. @throws CommandError */
export function headsIn(file: string): Head[] {
  const lines = readNamed(file).toString().split('\n')
  return [...new Set(lines.map((line) => line.trim()).filter(Boolean))].map(headFrom)
}

const headText = ({ chain, seq, hash }: Head) => `${chain}:${seq}:${hash}`

/** Checks the log of a server. */
export async function verifyAt(to: Target, heads: readonly Head[]): Promise<Shown> {
  const found = await answerOf(to, auditVerify, { heads })
  return verdict({ ...found, problemCount: found.problem_count })
}

/** Checks the log of the store of this machine. */
export async function verifyHere(store: Store, heads: readonly Head[]): Promise<Shown> {
  return verdict(await verifyAudit(store.inBackground(), heads))
}

/** Sets the exit status, too: 1 with problems. */
function verdict({ lines, chains, heads, problems, problemCount }: Checked): Shown {
  if (problemCount > 0) process.exitCode = 1
  const counted = `${lines} lines in ${chains} chains: ${problemCount === 0 ? 'no problems' : `${problemCount} problems`}\n`
  const told = problems.map(({ kind, chain, seq, message }) => `${kind} ${chain}:${seq} ${message}\n`)
  const ends = heads.map((head) => `${headText(head)}\n`)
  const note =
    ends.length === 0 ? '' : `note these elsewhere, and give them to --head later:\n${ends.join('')}`
  const value = { lines, chains, heads, problem_count: problemCount, problems }
  return { value, text: `${counted}${told.join('')}${note}` }
}
