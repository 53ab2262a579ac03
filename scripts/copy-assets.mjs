// Copies the files that `tsc` doesn't emit (.sql, .proto, .json tables, .html) into dist/, folder by folder, and removes from
// dist/ what earlier sources left there: routes and migrations are found by reading folders. The application in web/ is built by
// Vite.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const { include: rooms } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8'))
const APPLICATION = [
  'web/index.html',
  'web/package.json',
  'web/package-lock.json',
  'web/tsconfig.json',
  'web/src',
]
const assets = /\.(sql|proto|html|css|svg|json|mjs)$/

function walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (APPLICATION.includes(path)) continue
    if (entry.isDirectory()) {
      if (!['node_modules', 'results', '__snapshots__'].includes(entry.name)) walk(path)
    } else if (assets.test(entry.name)) {
      const target = join('dist', path)
      mkdirSync(dirname(target), { recursive: true })
      cpSync(path, target)
    }
  }
}

/** What other tools write: Vite, and the compiler of the walker. */
const BUILT_ELSEWHERE = ['web/app', 'ingest/otlp/walker/walker.wasm']

/** @param folder below dist/ */
function removeStale(folder) {
  for (const entry of readdirSync(join('dist', folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (BUILT_ELSEWHERE.includes(path) || entry.name.startsWith('.')) continue
    if (entry.isDirectory()) removeStale(path)
    else if (!existsSync(path) && !existsSync(path.replace(/\.js(\.map)?$/, '.ts')))
      rmSync(join('dist', path))
  }
}

for (const room of rooms) walk(room)
removeStale('')
