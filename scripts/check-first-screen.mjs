// Limits the compressed script that a browser loads before a screen is painted, for each screen of the router: the entry, the
// screen's file, and what these import. What a screen loads later (editors, charts, text) does not count.
import { readFileSync, statSync } from 'node:fs'

const MOST_BYTES = 220_000
const FOLDER = 'dist/web/app'
const manifest = JSON.parse(readFileSync(`${FOLDER}/manifest.json`, 'utf8'))
const router = readFileSync('web/src/app/router.tsx', 'utf8')

const screens = [...router.matchAll(/import\('\.\.\/(screens\/[^']+)'\)/g)]
  .map(([, path]) => `src/${path}.tsx`)
  .filter((name) => manifest[name] !== undefined)

function filesOf(name, found = new Set()) {
  const { file, imports = [] } = manifest[name]
  found.add(file)
  for (const one of imports) if (!found.has(manifest[one].file)) filesOf(one, found)
  return found
}

const sizes = [...new Set(screens)].map((screen) => {
  const files = new Set([...filesOf('index.html'), ...filesOf(screen)])
  const bytes = [...files].reduce((sum, file) => sum + statSync(`${FOLDER}/${file}.br`).size, 0)
  return { screen, bytes }
})
const [largest] = sizes.toSorted((a, b) => b.bytes - a.bytes)
console.log(
  `${sizes.length} screens; the largest, ${largest.screen}: ${(largest.bytes / 1000).toFixed(0)} kB`,
)
if (largest.bytes > MOST_BYTES)
  console.error(`a screen is larger than ${MOST_BYTES / 1000} kB; load parts of it when they are needed`)
process.exit(largest.bytes > MOST_BYTES ? 1 : 0)
