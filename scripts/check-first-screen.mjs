// Limits the compressed size of what a browser loads before the first screen: the entry, its imports, and the largest of
// the start screens.
import { readFileSync, statSync } from 'node:fs'

const MOST_BYTES = 235_000
const FOLDER = 'dist/web/app'
const FIRST = [
  'src/screens/signin/sign-in.tsx',
  'src/screens/home/home.tsx',
  'src/screens/traces/traces.tsx',
  'src/screens/trace/trace.tsx',
]
const manifest = JSON.parse(readFileSync(`${FOLDER}/manifest.json`, 'utf8'))

function filesOf(name, found = new Set()) {
  const { file, css = [], imports = [] } = manifest[name]
  for (const one of [file, ...css]) found.add(one)
  for (const one of imports) if (!found.has(manifest[one].file)) filesOf(one, found)
  return found
}

let failed = false
for (const screen of FIRST) {
  const files = new Set([...filesOf('index.html'), ...filesOf(screen)])
  const bytes = [...files].reduce((sum, file) => sum + statSync(`${FOLDER}/${file}.br`).size, 0)
  console.log(`${screen}: ${(bytes / 1000).toFixed(0)} kB`)
  if (bytes > MOST_BYTES) failed = true
}
if (failed)
  console.error(
    `a first screen is larger than ${MOST_BYTES / 1000} kB; load parts of it when they are needed`,
  )
process.exit(failed ? 1 : 0)
