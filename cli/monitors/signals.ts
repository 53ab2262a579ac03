/** `heddle monitors signals`: what runs by itself in a project. */
import { projectNamed, sendJson, type Target } from '../http-client.js'
import { list, type Shown } from '../shown.js'
import { say } from '../subcommand.js'

export interface SwitchOptions {
  on?: string[]
  off?: string[]
}

interface Signals {
  problem: string | null
  signals: { signal: string; on: boolean; found_today: number }[]
}

export async function signalList(
  to: Target,
  project: string,
  { on = [], off = [] }: SwitchOptions,
): Promise<Shown> {
  const body = { project_id: projectNamed(project) }
  const read = () => sendJson<Signals>(to, '/signals/query', body)
  let found = await read()
  if (on.length + off.length > 0) {
    const before = found.signals.filter((one) => !one.on).map(({ signal }) => signal)
    const now = [...before.filter((signal) => !on.includes(signal)), ...off]
    await sendJson(to, '/signals/update', { ...body, off: [...new Set(now)] })
    found = await read()
  }
  if (found.problem !== null) say(found.problem)
  return list(
    found.signals,
    ['SIGNAL', 'STATE', 'FOUND TODAY'],
    ({ signal, on: runs, found_today: count }) => [
      ...[signal, runs ? 'on' : 'off', count.toLocaleString('en-US')],
    ],
    'none',
  )
}
