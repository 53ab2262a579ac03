// Builds what a release is made of: the npm package, the model server's wheel, the Helm chart, a list of what is in each
// (CycloneDX) and SHA256SUMS. The same commit gives the same bytes. `node scripts/release/main.mjs FOLDER`, which is emptied.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chart } from './chart.mjs'
import { npmPackage } from './npm.mjs'
import { wheel } from './wheel.mjs'

const out = resolve(process.argv[2] ?? 'release')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const commit = execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim()
const release = { out, version, work: resolve('.cache/release'), seconds: Number(commit) }

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
for (const build of [npmPackage, wheel, chart]) build(release)

const sums = readdirSync(out)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex')}  ${file}\n`,
  )
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
for (const file of readdirSync(out).sort())
  console.log(`${(statSync(join(out, file)).size / 2 ** 20).toFixed(1).padStart(6)} MiB  ${join(out, file)}`)
