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
  await runStages(stages(into, checkpoint), into, project, checkpoint)
  const { counts, refused } = checkpoint.progress
  const sums = Object.entries(counts).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`)
  const done = `imported ${sums.join(', ')} into ${project}`
  if (refused.count === 0) return done
  throw new CommandError(
    `${done}; ${refused.count.toLocaleString('en-US')} records were left out:\n  ${refused.reasons.join('\n  ')}`,
  )
}
