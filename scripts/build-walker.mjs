// Compiles the walker (ingest/otlp/walker/assembly, AssemblyScript) to WebAssembly in dist/, if its sources are newer.
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SOURCES = 'ingest/otlp/walker/assembly'
const TARGET = 'dist/ingest/otlp/walker/walker.wasm'
/** Of 64 KiB; all that `layout.ts` needs, and no more can be had. */
const PAGES = '640'

const changed = (path) => statSync(path).mtimeMs
const newest = Math.max(
  ...['package.json', import.meta.filename].map(changed),
  ...readdirSync(SOURCES).map((name) => changed(join(SOURCES, name))),
)
if (!existsSync(TARGET) || changed(TARGET) < newest) {
  const { default: asc } = await import('assemblyscript/asc')
  mkdirSync(dirname(TARGET), { recursive: true })
  const { error, stderr } = await asc.main([
    ...[join(SOURCES, 'index.ts'), '--outFile', TARGET],
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
