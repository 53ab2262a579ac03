// Checks README's list of rooms against the tree: every top-level folder is in it, and every line of it is a folder.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const [, folderList = ''] =
  /## The folders[\s\S]*?```\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
const listed = []
let room = ''
for (const line of folderList.split('\n').filter(Boolean)) {
  const [, indent, names] = /^( *)((?:[\w-]+\/,? ?)+)/.exec(line) ?? []
  if (names === undefined) continue
  const found = names.match(/[\w-]+(?=\/)/g)
  if (indent === '') [room] = found
  listed.push(...found.map((name) => (indent === '' ? name : `${room}/${name}`)))
}
/** Rooms whose subfolders are listed, too. */
const LISTED_INSIDE = ['platform', 'domain', 'resources']
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
const folders = new Set()
for (const file of tracked) {
  const [top, inner, ...rest] = file.split('/')
  if (inner === undefined || top.startsWith('.')) continue
  folders.add(top)
  if (rest.length > 0 && LISTED_INSIDE.includes(top)) folders.add(`${top}/${inner}`)
}
const problems = [
  ...[...folders]
    .filter((name) => !listed.includes(name))
    .map((name) => `${name}/ is not in README's list of folders`),
  ...listed
    .filter((name) => !existsSync(name))
    .map((name) => `README's list of folders has ${name}/, which does not exist`),
]
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
