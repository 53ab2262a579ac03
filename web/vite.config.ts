// Builds the application into dist/web/app: names with hashes, and each file compressed beside itself. `vite web` serves the
// sources instead, as they change, in front of a service that runs (`make dev`).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What `vite web` serves the pages of. */
const SERVICE = process.env.HEDDLE_URL ?? `http://127.0.0.1:${process.env.HEDDLE_PORT ?? 8080}`
const OUT = join(import.meta.dirname, '../dist/web/app')

function compressed(): Plugin {
  return {
    name: 'compressed',
    closeBundle() {
      for (const name of readdirSync(OUT).filter((one) => /\.(js|css|svg)$/.test(one))) {
        const bytes = readFileSync(join(OUT, name))
        writeFileSync(
          join(OUT, `${name}.br`),
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        )
        writeFileSync(join(OUT, `${name}.gz`), gzipSync(bytes))
      }
    },
  }
}

/** `?title` of a document is its first heading. */
function titles(): Plugin {
  return {
    name: 'titles',
    enforce: 'pre',
    load(id) {
      const [file, query] = id.split('?')
      if (query !== 'title') return
      const heading = /^# (.+)$/m.exec(readFileSync(file!, 'utf8'))?.[1]
      if (heading === undefined) throw new Error(`${file} has no heading`)
      return `export default ${JSON.stringify(heading.replaceAll('`', ''))}`
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/web/',
  plugins: [titles(), react(), compressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // One folder: its files are served by name. What is small must not become a data: address, which the policy refuses.
    assetsDir: '',
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // A browser asks for six files at a time: by itself the bundler makes up to fifteen small ones for a screen.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 1 },
            { name: 'plot', test: /node_modules.uplot|ui.plot-time/, priority: 1 },
            // Each is loaded with the first text that needs it: packages alone, for a group takes in what its files import.
            {
              name: 'markdown',
              test: /node_modules.(markdown-it|linkify-it|mdurl|uc\.micro|punycode|entities)/,
              priority: 1,
            },
            // The editor of filters needs these, and no grammar.
            { name: 'lezer', test: /node_modules.@lezer.(common|highlight)/, priority: 2 },
            { name: 'highlight', test: /node_modules.@lezer/, priority: 1 },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
    modulePreload: { polyfill: false },
    target: 'es2023',
    manifest: 'manifest.json',
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    strictPort: true,
    // Definitions that the service has, too, lie outside this folder.
    fs: { allow: ['..'] },
    proxy: {
      // All but the sources is the service's; every address that a browser opens is the application.
      '^/(?!web/)': {
        target: SERVICE,
        bypass: ({ method, headers }) =>
          method === 'GET' && headers.accept?.includes('text/html') ? '/web/index.html' : undefined,
      },
    },
  },
})
