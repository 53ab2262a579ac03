/** `heddle erase`. Its code is loaded when it is called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { CommandError } from '../command.js'
import { withAuditedStore, withConfiguredStore } from '../configured-store.js'
import { projectNamed } from '../http-client.js'
import { showing } from '../shown.js'
import { subcommand } from '../subcommand.js'

interface Options {
  project: string
  user?: string
  pattern?: string
  ignoreCase?: boolean
  yes?: boolean
}

export function eraseCommand(heddle: Command): void {
  showing(
    subcommand(
      heddle,
      'erase',
      'erase everything of a user, or every match of a pattern, in a project; without --yes it only counts',
      processes.tool,
    )
      .requiredOption('--project <entity/project>', 'where')
      .option('--user <user>', "a user's name or id, or the end user that calls name")
      .option('--pattern <pattern>', 'a regular expression in the syntax of RE2')
      .option('--ignore-case', 'of the pattern')
      .option('--yes', 'do it; it can not be undone'),
    async ({ project, user, pattern, ignoreCase = false, yes = false }: Options) => {
      if ((user === undefined) === (pattern === undefined))
        throw new CommandError('name one of --user and --pattern', 2)
      const { eraseIn } = await import('./erase.js')
      const what = user === undefined ? { pattern: pattern!, ignoreCase } : { user }
      const named = projectNamed(project)
      if (!yes) return withConfiguredStore((store) => eraseIn(store, { project: named, what }, true))
      const event = {
        action: 'erase',
        category: 'deletion',
        scope: named,
        // Neither is logged: both may be what has to go.
        target: { by: user === undefined ? 'pattern' : 'user' },
      } as const
      return withAuditedStore(event, async (store, note) => {
        const shown = await eraseIn(store, { project: named, what }, false)
        note(Object.fromEntries(shown.value.erased.map(({ table, rows }) => [table, rows])))
        return shown
      })
    },
  )
}
