// Compiles the walker (ingest/otlp/walker/assembly, AssemblyScript) to the WebAssembly beside it, if its sources are newer.
// One of them, `columns.ts`, is made from the columns of calls.
// The result is part of the repository, since the compiler has 100 MB: users don't install it. `--check` compiles it anew
// and compares.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { columnsFile, SCHEMA } from './walker-columns.mjs'

const SOURCES = 'ingest/otlp/walker/assembly'
const TARGET = 'ingest/otlp/walker/walker.wasm'
/** Of 64 KiB; all that `layout.ts` needs, and no more can be had. */
const PAGES = '640'

const COLUMNS = join(SOURCES, 'columns.ts')
const columns = columnsFile()
const isCurrent = existsSync(COLUMNS) && readFileSync(COLUMNS, 'utf8') === columns
if (!isCurrent && process.argv[2] === '--check') {
  console.error(`${COLUMNS} is not what ${SCHEMA} says; run make build and commit it`)
  process.exit(1)
}
if (!isCurrent) writeFileSync(COLUMNS, columns)

const changed = (path) => statSync(path).mtimeMs
const newest = Math.max(
  ...['package.json', import.meta.filename].map(changed),
  ...readdirSync(SOURCES).map((name) => changed(join(SOURCES, name))),
)

async function compile(target) {
  const { default: asc } = await import('assemblyscript/asc')
  const { error, stderr } = await asc.main([
    ...[join(SOURCES, 'index.ts'), '--outFile', target],
    ...['--optimizeLevel', '3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
    ...['--initialMemory', PAGES, '--maximumMemory', PAGES],
    // Addresses have 32 bits here and are mixed with other numbers of 32 bits.
    ...['--disableWarning', '201'],
  ])
  if (error) {
    console.error(stderr.toString())
    process.exit(1)
  }
}

if (process.argv[2] === '--check') {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-walker-'))
  await compile(join(folder, 'walker.wasm'))
  const same = readFileSync(join(folder, 'walker.wasm')).equals(readFileSync(TARGET))
  rmSync(folder, { recursive: true })
  if (!same) {
    console.error(`${TARGET} is not what ${SOURCES} compiles to; run make build and commit it`)
    process.exit(1)
  }
} else if (!existsSync(TARGET) || changed(TARGET) < newest) {
  await compile(TARGET)
  // A compiler that finds the file as it should be may leave it alone.
  utimesSync(TARGET, new Date(), new Date())
}
