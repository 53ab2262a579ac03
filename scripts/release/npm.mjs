// The npm package `heddle`: the compiled program with its pages, and the versions of all packages that it runs with.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeBom } from './bom.mjs'

const json = (path) => JSON.parse(readFileSync(path, 'utf8'))
const write = (path, value) => writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`)
/** npm with its own standard settings, whatever those of this machine are. */
const npm = (cwd, ...args) => execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 })

/** What no installation runs: tests, what only they need, maps of the compiler. */
const LEFT_OUT = /\/testing(\/|$)|\.test\.js$|\.map$|\/\.[^/]*$/

/**
 * The package's folder as npm packs it.
 * @param folder is made anew; `dist/` is complete @param version of the release
 */
export function stageNpm(folder, version) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { include: rooms } = json('tsconfig.build.json')
  const { exclude } = json('tsconfig.run.json')
  for (const room of rooms.filter((one) => !exclude.includes(one)))
    cpSync(join('dist', room), join(folder, 'dist', room), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(path),
    })
  cpSync('LICENSE', join(folder, 'LICENSE'))
  cpSync('scripts/release/README.npm.md', join(folder, 'README.md'))
  const { private: _, scripts: _scripts, devDependencies: _dev, ...manifest } = json('package.json')
  write(join(folder, 'package.json'), { ...manifest, version, files: ['dist', 'npm-shrinkwrap.json'] })
  const { packages, ...lock } = json('package-lock.json')
  const { devDependencies: _devs, ...root } = packages['']
  const running = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  write(join(folder, 'npm-shrinkwrap.json'), {
    ...{ ...lock, version, packages: { '': { ...root, version }, ...Object.fromEntries(running) } },
  })
}

/** Writes `heddle-VERSION.tgz` and its list of packages. */
export function npmPackage({ out, work, version }) {
  const folder = join(work, 'heddle')
  stageNpm(folder, version)
  npm(folder, 'pack', '--silent', '--ignore-scripts', '--pack-destination', out)
  const bom = npm(folder, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only')
  writeBom(join(out, `heddle-${version}.cdx.json`), bom)
}
