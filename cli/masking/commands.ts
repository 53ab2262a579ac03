/** `heddle masking`. Each command loads its code when it is called. */
import { type Command, Option } from 'commander'
import { DETECTORS, MASKS } from '../../contract/masking.js'
import { type ClientOptions, clientCommand, clientTarget, number } from '../client-command.js'
import { showing } from '../shown.js'
import type { RuleOptions } from './masking.js'

export function maskingCommands(heddle: Command): void {
  const masking = heddle
    .command('masking')
    .description('mask personal data and keys in texts, before anything is stored')
  const module = () => import('./masking.js')
  showing(
    clientCommand(
      masking,
      'list <scope>',
      'list the rules that hold in a project, an entity, or everywhere (*)',
    ),
    async (scope: string, options: ClientOptions) =>
      (await module()).maskingList(await clientTarget(options), scope),
  )
  showing(
    ruled(
      clientCommand(masking, 'set <scope> <name>', 'make a rule of a scope, or replace the one of this name'),
    ),
    async (scope: string, name: string, options: ClientOptions & RuleOptions) =>
      (await module()).setRule(await clientTarget(options), scope, name, options),
  )
  showing(
    clientCommand(masking, 'remove <scope> <name>', 'take a rule back; what is masked stays so'),
    async (scope: string, name: string, options: ClientOptions) =>
      (await module()).removeRule(await clientTarget(options), scope, name),
  )
  showing(
    ruled(
      clientCommand(masking, 'preview <project>', 'try the rules of a project, or one, on its newest calls'),
    ).option('--calls <count>', 'how many', number, 200),
    async (project: string, options: ClientOptions & RuleOptions & { calls: number }) =>
      (await module()).previewRules(await clientTarget(options), project, options),
  )
  showing(
    clientCommand(masking, 'counts <scope>', 'show how often rules have masked something').option(
      '--days <count>',
      'today among them',
      number,
      30,
    ),
    async (scope: string, options: ClientOptions & { days: number }) =>
      (await module()).maskingCounts(await clientTarget(options), scope, options.days),
  )
}

const ruled = (command: Command): Command =>
  command
    .addOption(new Option('--detector <what>', 'what is found by itself').choices(DETECTORS))
    .option('--pattern <pattern>', 'or a regular expression in the syntax of RE2')
    .option('--names <file>', 'or the words of a file, one in each line')
    .option('--path <path>', 'or a field, such as inputs.customer.name or **.ssn')
    .option('--ignore-case', 'of the pattern and the names')
    .addOption(new Option('--how <mask>', 'what a match becomes').choices(MASKS).default('label'))
    .option('--label <label>', 'such as EMPLOYEE; default: by what is masked')
