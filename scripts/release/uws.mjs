// Compares the installed HTTP server with the official release of the commit that it names (docs/adr/0001-uwebsockets.md):
// a file's git id is a hash of its content, so no binary is downloaded. `node scripts/release/uws.mjs [FOLDER]`;
// UWS_REPOSITORY names a mirror.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = process.argv[2] ?? 'node_modules/uWebSockets.js'
const repository = process.env.UWS_REPOSITORY ?? 'https://github.com/uNetworking/uWebSockets.js'
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 26 }).trim()

const commit = readFileSync(join(folder, 'source_commit'), 'utf8').trim()
const official = mkdtempSync(join(tmpdir(), 'uws-'))
try {
  git('-C', official, 'init', '--quiet', '--bare')
  git('-C', official, 'fetch', '--quiet', '--depth=1', '--filter=blob:none', repository, commit)
  const tree = git('-C', official, 'ls-tree', 'FETCH_HEAD').split('\n')
  const ids = new Map(tree.map((line) => line.split(/\s+/).slice(2).reverse()))
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.node') || /^(uws\.js|ESM_wrapper\.mjs)$/.test(file),
  )
  const wrong = files.filter(
    (file) => ids.get(file) !== git('hash-object', '--no-filters', join(folder, file)),
  )
  if (files.length === 0 || wrong.length > 0) {
    console.error(`Not the official files of ${commit}: ${wrong.join(', ') || 'there are none'}`)
    process.exitCode = 1
  } else console.log(`The HTTP server's ${files.length} files are the official ones of ${commit}.`)
} finally {
  rmSync(official, { recursive: true, force: true })
}
