/** `heddle completion`: what shells need to complete commands and options, made from the tree of commands. */
import { Argument, type Command } from 'commander'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `heddle completion`. */
export function completionCommand(heddle: Command): void {
  heddle
    .command('completion')
    .description('print completions for a shell, such as: source <(heddle completion bash)')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => void process.stdout.write(completion(heddle, shell)))
}

/** The script that a shell reads. */
export function completion(heddle: Command, shell: (typeof SHELLS)[number]): string {
  const nodes = nodesOf(heddle, [])
  if (shell === 'fish') return fish(nodes)
  // zsh reads those of bash.
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bash(nodes)}` : bash(nodes)
}

/** A command, the words that lead to it, and what may follow. */
interface Node {
  path: readonly string[]
  commands: readonly { name: string; text: string }[]
  options: readonly { name: string; text: string }[]
}

function nodesOf(command: Command, path: readonly string[]): Node[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help')
  const node: Node = {
    path,
    commands: commands.map((one) => ({ name: one.name(), text: one.description() })),
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long ? [{ name: long, text: description }] : [])),
  }
  return [node, ...commands.flatMap((one) => nodesOf(one, [...path, one.name()]))]
}

function bash(nodes: readonly Node[]): string {
  const steps = nodes.slice(1).map(({ path }) => `'${path.slice(0, -1).join(' ')}/${path.at(-1)}'`)
  const words = nodes.map(({ path, commands, options }) => {
    const all = [...commands, ...options].map(({ name }) => name)
    return `    '${path.join(' ')}') words='${all.join(' ')}' ;;`
  })
  return `_heddle() {
  local at='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${steps.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _heddle heddle
`
}

function fish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
    const names = commands.map(({ name }) => name).join(' ')
    const before = names === '' ? seen : [...seen, `not __fish_seen_subcommand_from ${names}`]
    const condition = before.length === 0 ? '' : ` -n ${quoted(before.join('; and '))}`
    const line = (flag: string, name: string, text: string) =>
      `complete -c heddle${condition} ${flag} ${name} -d ${quoted(text)}`
    return [
      ...commands.map(({ name, text }) => line('-f -a', name, text)),
      ...options.map(({ name, text }) => line('-l', name.slice(2), text)),
    ]
  })
  return `${lines.join('\n')}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
