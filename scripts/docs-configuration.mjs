// Writes docs/configuration.md from the settings' schemas; with --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { docsTable } from '../dist/platform/config/describe.js'
import { processes } from '../dist/platform/config/settings.js'

const FILE = 'docs/configuration.md'
const ABOUT = {
  up: '`heddle up`',
  ingest: '`heddle ingest`',
  query: '`heddle query`',
  tracing: '`heddle tracing`',
  trainingApi: '`heddle training-api`',
  inferenceWorker: '`heddle inference-worker`',
  trainerWorker: '`heddle trainer-worker`',
  evaluationWorker: '`heddle evaluation-worker`',
  tool: '`heddle migrate`, `heddle keys`, `heddle costs`, `heddle retention`',
  backup: '`heddle backup`, `heddle restore`',
  secrets: '`heddle secrets`',
  client: '`heddle export`, `heddle demo`',
  trainingClient: '`heddle train`, `heddle chat`, `heddle jobs`, `heddle curves`',
  doctor: '`heddle doctor`',
}

const sections = Object.entries(processes).map(
  ([name, settings]) => `## ${ABOUT[name]}\n\n${docsTable(settings)}\n`,
)
const text = `# Configuration

Everything is set by environment variables; an empty one counts as unset. If a value is invalid, the process exits
with status 2 and a sentence for each such variable. \`heddle <command> --help\` lists what a command reads, and
\`heddle doctor\` names unknown variables.

This file is made from \`platform/config/settings.ts\` by \`make docs\`.

${sections.join('\n')}`

if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} is not what platform/config/settings.ts says; run \`make docs\``)
  process.exit(1)
}
