// Copies the files that `tsc` doesn't emit (.sql, .proto, .json tables, .html, .wasm) into dist/, folder by folder, and removes from
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
const assets = /\.(sql|proto|html|css|svg|json|mjs|wasm)$/

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

/** What Vite and VitePress write. */
const BUILT_ELSEWHERE = ['web/app', 'site']

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
