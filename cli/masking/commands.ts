/** `heddle masking`. */
import { type Command, Option } from 'commander'
import { DETECTORS, MASKS } from '../../contract/masking.js'
import { clientGroup, number } from '../client-command.js'

export function maskingCommands(heddle: Command): void {
  const masking = clientGroup(
    heddle.command('masking').description('mask personal data and keys in texts, before anything is stored'),
    () => import('./masking.js'),
  )
  masking.show(
    'list <scope>',
    'list the rules that hold in a project, an entity, or everywhere (*)',
    'maskingList',
  )
  masking.show(
    'set <scope> <name>',
    'make a rule of a scope, or replace the one of this name',
    'setRule',
    ruled,
  )
  masking.show('remove <scope> <name>', 'take a rule back; what is masked stays so', 'removeRule')
  masking.show(
    'preview <project>',
    'try the rules of a project, or one, on its newest calls',
    'previewRules',
    (command) => ruled(command).option('--calls <count>', 'how many', number, 200),
  )
  masking.show('counts <scope>', 'show how often rules have masked something', 'maskingCounts', (command) =>
    command.option('--days <count>', 'today among them', number, 30),
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
