/** `heddle share`. */
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { clientGroup, number } from '../client-command.js'

export function shareCommands(heddle: Command): void {
  const share = clientGroup(
    heddle
      .command('share')
      .description('show one trace, evaluation run or dashboard to people without a key'),
    () => import('./sharing.js'),
  )
  share.show('create <project>', 'make a link and print it once', 'createShare', (command) =>
    command
      .addArgument(new Argument('<kind>', 'what to show').choices(['trace', 'run', 'dashboard']))
      .argument('<of>', 'id of the trace or of the run, or name of the dashboard')
      .option('--days <number>', 'how long it is good for; default: 7, or what the server allows', days)
      .option('--note <text>', 'who it is for; nobody sees it at the link'),
  )
  share.show('list <project>', 'list links, and how often they were opened', 'shareList')
  share.show('revoke <project> <id>', 'let a link lead nowhere', 'revokeShare')
}

function days(text: string): number {
  const value = number(text)
  if (value <= 0) throw new InvalidArgumentError('It is no number of days.')
  return value
}
