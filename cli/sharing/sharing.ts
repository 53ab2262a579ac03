/** `heddle share`: links by which people without a key see one thing of a project. */
import { DAY_S, type ShareKind } from '../../contract/sharing.js'
import { projectNamed, sendJson, type Target } from '../http-client.js'
import { list, type Shown, timeText } from '../shown.js'
import { say } from '../subcommand.js'

export const KINDS: Readonly<Record<string, ShareKind>> = {
  trace: 'trace',
  run: 'evaluation_run',
  dashboard: 'dashboard',
}

export interface ShareOptions {
  days?: number
  note?: string
}

interface Share {
  id: string
  kind: ShareKind
  target: string
  note: string
  created_by: string
  expires_at: string
  state: string
  views: number
}

export async function createShare(
  to: Target,
  project: string,
  kind: ShareKind,
  target: string,
  { days, note = '' }: ShareOptions,
): Promise<Shown> {
  const made = await sendJson<{ id: string; url: string; expires_at: string }>(to, '/shares/create', {
    ...{ project_id: projectNamed(project), kind, target, note },
    ...(days !== undefined && { seconds: Math.max(1, Math.round(days * DAY_S)) }),
  })
  say(`${made.id}, good until ${timeText(made.expires_at)} UTC; the link is not stored and not shown again:`)
  return { value: made, text: `${made.url}\n` }
}

export async function shareList(to: Target, project: string): Promise<Shown> {
  const body = { project_id: projectNamed(project), limit: 1000 }
  const { shares } = await sendJson<{ shares: Share[] }>(to, '/shares/query', body)
  const nameOf = (kind: ShareKind) => Object.keys(KINDS).find((name) => KINDS[name] === kind) ?? kind
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

export async function revokeShare(to: Target, project: string, share: string): Promise<Shown> {
  const body = { project_id: projectNamed(project), share }
  const done = await sendJson<{ id: string }>(to, '/shares/revoke', body)
  say('within 10 seconds it leads nowhere')
  return { value: done, text: `${done.id}\n` }
}
