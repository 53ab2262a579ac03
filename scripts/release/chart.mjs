// The Helm chart, as helm packs it, with the version of the release.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Gives all files the same time and mode: helm packs both. */
function normalize(path, seconds) {
  const isFolder = statSync(path).isDirectory()
  if (isFolder) for (const name of readdirSync(path)) normalize(join(path, name), seconds)
  chmodSync(path, isFolder ? 0o755 : 0o644)
  utimesSync(path, seconds, seconds)
}

/** Writes `heddle-chart-VERSION.tgz`. */
export function chart({ out, work, version, seconds }) {
  const folder = join(work, 'chart')
  rmSync(folder, { recursive: true, force: true })
  cpSync('infra/helm/heddle', join(folder, 'heddle'), { recursive: true, dereference: true })
  normalize(folder, seconds)
  const versions = ['--version', version, '--app-version', version]
  execFileSync('.cache/tools/helm', ['package', join(folder, 'heddle'), '-d', folder, ...versions], {
    stdio: 'ignore',
  })
  // The npm package has that name.
  cpSync(join(folder, `heddle-${version}.tgz`), join(out, `heddle-chart-${version}.tgz`))
}
