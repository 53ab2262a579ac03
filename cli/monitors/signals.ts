/** `heddle monitors signals`: what runs by itself in a project. */
import { signalsQuery, signalsUpdate } from '../../contract/monitors.js'
import { answerIn } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { list, type Shown } from '../shown.js'
import { say } from '../subcommand.js'

/** The signals, after some were switched on or off. */
export async function signalList(
  to: Target,
  project: string,
  { on = [], off = [] }: { on?: string[]; off?: string[] },
): Promise<Shown> {
  let found = await answerIn(to, project, signalsQuery)
  if (on.length + off.length > 0) {
    const before: string[] = found.signals.filter((one) => !one.on).map(({ signal }) => signal)
    const now = [...before.filter((signal) => !on.includes(signal)), ...off]
    await answerIn(to, project, signalsUpdate, { off: [...new Set(now)] })
    found = await answerIn(to, project, signalsQuery)
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
