/** `heddle share`: links by which people without a key see one thing of a project. */
import * as contract from '../../contract/sharing.js'
import { answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { list, type Shown, timeText } from '../shown.js'
import { say } from '../subcommand.js'

const KINDS: Readonly<Record<string, contract.ShareKind>> = {
  trace: 'trace',
  run: 'evaluation_run',
  dashboard: 'dashboard',
}

/** Makes a link. @param kind a key of {@link KINDS} */
export async function createShare(
  to: Target,
  project: string,
  kind: string,
  target: string,
  { days, note = '' }: { days?: number; note?: string },
): Promise<Shown> {
  const made = await answerIn(to, project, contract.shareCreate, {
    ...{ kind: KINDS[kind], target, note },
    seconds: days === undefined ? undefined : Math.max(1, Math.round(days * contract.DAY_S)),
  })
  say(`${made.id}, good until ${timeText(made.expires_at)} UTC; the link is not stored and not shown again:`)
  return { value: made, text: `${made.url}\n` }
}

/** The links of a project. */
export async function shareList(to: Target, project: string): Promise<Shown> {
  const { shares } = await answerIn(to, project, contract.sharesQuery, { limit: 1000 })
  const nameOf = (kind: string) => Object.keys(KINDS).find((name) => KINDS[name] === kind) ?? kind
  return list(
    shares,
    ['ID', 'KIND', 'OF', 'STATE', 'UNTIL', 'VIEWS', 'BY', 'NOTE'],
    (one) => [
      ...[one.id, nameOf(one.kind), one.target, one.state, timeText(one.expires_at)],
      ...[one.views.toLocaleString('en-US'), one.created_by, one.note],
    ],
    'none; `heddle share create` makes one',
  )
}

/** Lets a link lead nowhere. */
export async function revokeShare(to: Target, project: string, share: string): Promise<Shown> {
  const done = await answerIn(to, project, contract.shareRevoke, { share })
  say('within 10 seconds it leads nowhere')
  return { value: done, text: `${done.id}\n` }
}
