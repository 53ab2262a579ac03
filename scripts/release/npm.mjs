// The npm package `heddle`: the compiled program with its pages, and the packages that it runs with, so that an installation
// fetches little else than what has binaries: the engine and the HTTP server.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeBom } from './bom.mjs'

const json = (path) => JSON.parse(readFileSync(path, 'utf8'))
const write = (path, value) => writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`)
const npm = (cwd, ...args) => execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 })

/** What an installation may fetch of ours; the engine and the HTTP server come on top. */
const MOST_BYTES = 15_000_000

/** What no installation runs: tests, what only they need, maps of the compiler. */
const TEST_FILES = /\/testing(\/|$)|\.test\.js$|\.map$|\/\.[^/]*$/
/** Of packages: what compilers and readers use, and binaries for another runtime than Node.js. */
const DEVELOPMENT_FILES =
  /\.(map|[cm]?ts|tsbuildinfo|flow|markdown)$|\/(README|CHANGELOG|HISTORY)[^/]*$|\/prebuilds$|\/\.[^/]*$/i
/** Packages with binaries for one machine, which npm chooses where it installs. */
const FETCHED = ['chdb', 'uWebSockets.js']

/** The packages of the lock file that run everywhere: their folders. */
function bundled(packages) {
  const isFetched = (path) => FETCHED.some((name) => path === `node_modules/${name}`)
  return Object.entries(packages).flatMap(([path, { dev, optional, devOptional }]) =>
    path === '' || dev || optional || devOptional || isFetched(path) ? [] : [path],
  )
}

/**
 * The package's folder as npm packs it.
 * @param folder is made anew; `dist/` and `node_modules/` are complete @param version of the release
 */
export function stageNpm(folder, version) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { include: rooms } = json('tsconfig.build.json')
  const { exclude } = json('tsconfig.run.json')
  for (const room of ['bundle', ...rooms.filter((one) => !exclude.includes(one))])
    cpSync(join('dist', room), join(folder, 'dist', room), {
      recursive: true,
      filter: (path) => !TEST_FILES.test(path),
    })
  const { packages } = json('package-lock.json')
  for (const path of bundled(packages))
    cpSync(path, join(folder, path), {
      recursive: true,
      // Packages below a package are in the list, too.
      filter: (from) => from === path || (basename(from) !== 'node_modules' && !DEVELOPMENT_FILES.test(from)),
    })
  cpSync('LICENSE', join(folder, 'LICENSE'))
  cpSync('scripts/release/README.npm.md', join(folder, 'README.md'))
  const { private: _, scripts: _scripts, devDependencies: _dev, ...manifest } = json('package.json')
  const bundleDependencies = Object.keys(manifest.dependencies).filter((name) => !FETCHED.includes(name))
  write(join(folder, 'package.json'), { ...manifest, version, files: ['dist'], bundleDependencies })
}

/** Writes `heddle-VERSION.tgz` and the list of its packages. */
export function npmPackage({ out, work, version }) {
  const folder = join(work, 'heddle')
  stageNpm(folder, version)
  const [{ size }] = JSON.parse(npm(folder, 'pack', '--json', '--ignore-scripts', '--pack-destination', out))
  if (size > MOST_BYTES) throw new Error(`the npm package has ${size} bytes, more than ${MOST_BYTES}`)
  // npm names what it lists by the folder that it runs in.
  const listed = join(work, 'bom/heddle')
  mkdirSync(listed, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(file, join(listed, file))
  const bom = npm(listed, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev')
  writeBom(join(out, `heddle-${version}.cdx.json`), bom)
}
