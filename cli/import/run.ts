/** Runs an import to its end, from where an earlier run came to, and says what it did. */
import { CommandError } from '../command.js'
import { projectNamed, type Target } from '../http-client.js'
import { Checkpoint } from './checkpoint.js'
import { Remote } from './remote.js'
import { runStages, type Stage } from './stage.js'

export interface Import {
  to: Target
  /** `entity/project` that it is imported into */
  project: string
  /** what is imported from where, as one text */
  source: string
  checkpoint?: string | undefined
  stages(to: Remote, checkpoint: Checkpoint): Stage[]
}

/** @returns one sentence @throws CommandError if something was refused, when everything else is stored */
export async function importAll({ to, project, source, checkpoint: file, stages }: Import): Promise<string> {
  const into = new Remote(to.url, `Bearer ${to.key}`, {
    name: 'Heddle',
    unreachable: 'is `heddle up` running?',
    unauthorized: 'check --key',
  })
  const checkpoint = new Checkpoint(`${source} into ${projectNamed(project)} at ${to.url}`, file)
  const all = stages(into, checkpoint)
  await runStages(all, into, project, checkpoint).catch((error: unknown) => {
    throw unexpected(error)
      ? new CommandError(`the source answers what it should not (${whyOf(error)}); is --from right?`)
      : error
  })
  const { counts, skipped, refused } = checkpoint.progress
  const sums = all.map(({ name }) => `${number((counts[name] ?? 0) - (skipped[name] ?? 0))} ${name}`)
  const gaps = all.flatMap(({ name, skips }) =>
    skipped[name] ? `; skipped ${number(skipped[name])}: ${skips} are not imported` : [],
  )
  if (refused.count === 0) return `imported ${sums.join(', ')} into ${project}${gaps.join('')}`
  const were = refused.count === 1 ? 'record was' : 'records were'
  throw new CommandError(
    `read ${sums.join(', ')} for ${project}${gaps.join('')}; ${number(refused.count)} ${were} refused, the rest is imported:\n  ${refused.reasons.join('\n  ')}`,
  )
}

/** What comes of members that are not there, or of another type, and of JSON that is none or nested too deep. */
const unexpected = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError

const whyOf = ({ message }: Error): string =>
  message.includes('call stack') ? 'JSON that is nested too deep' : message

function number(count: number): string {
  return count.toLocaleString('en-US')
}
