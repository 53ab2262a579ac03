// Bundles dist/ into dist/bundle/: the program in 300 files, not 2,000, of which finding, reading and linking is
// most of what a start costs (ADR 0067). `cli/main.ts` and threadEntry() take a bundle where there is one. Modules still find the files
// beside them (.sql, .proto, .wasm), whose places are those of dist/.
import { rmSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'

const DIST = resolve('dist')
const OUT = join(DIST, 'bundle')
/** They have binaries, files of their own beside them, or threads; few starts need those of S3. */
const APART = /^(chdb|uWebSockets\.js|piscina|pino|unicode-emoji-json|@aws-sdk)(\/|$)/
/** Entries of threads. That of bodies stays as it is: it reads the folder of declared routes. */
const THREADS = [
  'domain/masking/mask-thread',
  'ingest/langfuse/worker',
  'ingest/threads/decode',
  'resources/workers/worker',
  'training-api/threads/worker',
]

const flat = (path) => path.replaceAll('/', '-')
const entryOf = (id, name) => relative(DIST, join(dirname(id), name)).replace(/\.js$/, '')

/** In code of the module `id`: threads start from their bundles, and whatever else is beside the module stays found there. */
function placed(code, id) {
  const address = `new URL(${JSON.stringify(`../${relative(DIST, id)}`)}, import.meta.url)`
  return code
    .split(/(threadEntry\(import\.meta\.url, '[^']+'\))/)
    .map((piece) => {
      const [, name] = /^threadEntry\(import\.meta\.url, '([^']+)'\)$/.exec(piece) ?? []
      const entry = name && entryOf(id, name)
      if (THREADS.includes(entry)) return `threadEntry(import.meta.url, './${flat(entry)}.js')`
      return piece
        .replaceAll('import.meta.url', `${address}.href`)
        .replaceAll('import.meta.filename', `${address}.pathname`)
        .replaceAll('import.meta.dirname', `new URL('.', ${address}).pathname`)
    })
    .join('')
}

rmSync(OUT, { recursive: true, force: true })
const bundle = await rolldown({
  input: {
    program: join(DIST, 'cli/program.js'),
    ...Object.fromEntries(THREADS.map((path) => [flat(path), join(DIST, `${path}.js`)])),
  },
  platform: 'node',
  external: APART,
  plugins: [
    {
      name: 'places',
      transform: (code, id) =>
        id.startsWith(DIST + sep) && code.includes('import.meta.') ? { code: placed(code, id) } : null,
    },
  ],
})
await bundle.write({
  dir: OUT,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  comments: false,
})
