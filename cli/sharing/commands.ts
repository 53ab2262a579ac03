/** `heddle share`. Each loads its code when it is called. */
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { type ClientOptions, clientCommand, clientTarget, number, showingFrom } from '../client-command.js'
import { showing } from '../shown.js'
import type { ShareOptions } from './sharing.js'

const loadSharing = () => import('./sharing.js')

export function shareCommands(heddle: Command): void {
  const share = heddle
    .command('share')
    .description('show one trace, evaluation run or dashboard to people without a key')
  showing(
    clientCommand(share, 'create <project>', 'make a link and print it once')
      .addArgument(new Argument('<kind>', 'what to show').choices(['trace', 'run', 'dashboard']))
      .argument('<of>', 'id of the trace or of the run, or name of the dashboard')
      .option('--days <number>', 'how long it is good for; default: 7, or what the server allows', days)
      .option('--note <text>', 'who it is for; nobody sees it at the link'),
    async (project: string, kind: string, of: string, options: ClientOptions & ShareOptions) => {
      const { createShare, KINDS } = await import('./sharing.js')
      return createShare(await clientTarget(options), project, KINDS[kind]!, of, options)
    },
  )
  showingFrom(
    clientCommand(share, 'list <project>', 'list links, and how often they were opened'),
    loadSharing,
    (code, to, project: string) => code.shareList(to, project),
  )
  showingFrom(
    clientCommand(share, 'revoke <project> <id>', 'let a link lead nowhere'),
    loadSharing,
    (code, to, project: string, id: string) => code.revokeShare(to, project, id),
  )
}

function days(text: string): number {
  const value = number(text)
  if (value <= 0) throw new InvalidArgumentError('It is no number of days.')
  return value
}
