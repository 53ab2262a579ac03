// Holds README's list of rooms to the tree: every folder at the top is in it, and every line of it is a folder.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const [, house = ''] = /## The house[\s\S]*?```\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
const listed = []
let room = ''
for (const line of house.split('\n').filter(Boolean)) {
  const [, indent, names] = /^( *)((?:[\w-]+\/,? ?)+)/.exec(line) ?? []
  if (names === undefined) continue
  const found = names.match(/[\w-]+(?=\/)/g)
  if (indent === '') [room] = found
  listed.push(...found.map((name) => (indent === '' ? name : `${room}/${name}`)))
}
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
const top = new Set(
  tracked.filter((file) => file.includes('/') && !file.startsWith('.')).map((file) => file.split('/')[0]),
)
const problems = [
  ...[...top].filter((name) => !listed.includes(name)).map((name) => `${name}/ is not in README's house`),
  ...listed
    .filter((name) => !existsSync(name))
    .map((name) => `README's house has ${name}/, which does not exist`),
]
for (const floor of ['platform', 'domain', 'resources']) {
  const folders = new Set(
    tracked
      .filter((file) => file.startsWith(`${floor}/`))
      .map((file) => file.split('/'))
      .filter((parts) => parts.length > 2)
      .map((parts) => parts[1]),
  )
  problems.push(
    ...[...folders]
      .filter((name) => !listed.includes(`${floor}/${name}`))
      .map((name) => `${floor}/${name}/ is not in README's house`),
  )
}
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
