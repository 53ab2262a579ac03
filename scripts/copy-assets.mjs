// Copies the files that `tsc` doesn't emit (.sql, .proto, .json tables, .html) into dist/, folder by folder. The application in
// web/ is built by Vite.
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
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

for (const room of rooms) walk(room)
