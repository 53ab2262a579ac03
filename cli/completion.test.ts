import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { completion } from './completion.js'
import { program } from './program.js'

/** What bash offers after these words, the last of which is being written. */
function offered(...words: string[]): string[] {
  const script = `${completion(program(), 'bash')}
    COMP_WORDS=(heddle ${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length}
    _heddle
    printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
}

describe('bash completes', () => {
  it.each([
    ['commands', ['ba'], ['backup']],
    ['commands of a command', ['import', ''], ['jsonl', 'parquet', 'weave', 'langfuse', 'phoenix', '--help']],
    ['options', ['keys', 'create', '--l'], ['--label', '--log-chat-to']],
    ['options after other words', ['export', 'a/b', '--out', 'x', '--f'], ['--feedback']],
    ['commands whose name another has, too', ['jobs', 'list', '--st'], ['--status']],
    ['nothing that there is not', ['fly', 'hi', '--nothing'], ['']],
  ])('%s', (_, words, expected) => expect(offered(...words)).toEqual(expected))

  it('every command', () => {
    const names = program().commands.map((command) => command.name())
    expect(offered('')).toEqual(expect.arrayContaining(names))
  })
})

it('fish and zsh complete the same commands', () => {
  const fish = completion(program(), 'fish')
  expect(fish).toContain("complete -c heddle -n 'not __fish_seen_subcommand_from up ")
  expect(fish).toContain(
    "complete -c heddle -n '__fish_seen_subcommand_from keys; and __fish_seen_subcommand_from revoke' -l help -d 'display help for command'",
  )
  expect(fish).toContain("-l from -d 'address of Phoenix'")
  expect(completion(program(), 'zsh')).toContain(completion(program(), 'bash'))
})
