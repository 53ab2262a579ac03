// Writes docs/configuration.md from the settings' schemas; with --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { docsTable } from '../dist/platform/config/describe.js'
import { processes } from '../dist/platform/config/settings.js'

const FILE = 'docs/configuration.md'
const ROLES = {
  up: 'up',
  tracing: 'tracing',
  ingest: 'ingest',
  query: 'query',
  trainingApi: 'training-api',
  inferenceWorker: 'inference-worker',
  trainerWorker: 'trainer-worker',
  evaluationWorker: 'evaluation-worker',
}
const COMMANDS = {
  tool: '`heddle migrate`, `projects`, `set-aside`, `keys`, `costs`, `retention`',
  backup: '`heddle backup`, `restore`',
  exportFiles: '`heddle export-files`',
  secrets: '`heddle secrets`',
  client: '`heddle calls`, `call`, `export`, `sql`, `import jsonl`, `import parquet`, `demo`',
  importWeave: '`heddle import weave`',
  importLangfuse: '`heddle import langfuse`',
  importPhoenix: '`heddle import phoenix`',
  trainingClient: '`heddle train`, `chat`, `jobs`, `curves`',
  doctor: '`heddle doctor`',
}
/** Each section, by its first variable. */
const SECTIONS = {
  HEDDLE_HOST: 'Addresses and limits',
  CLICKHOUSE_URL: 'ClickHouse and the data folder',
  HEDDLE_DECODE_THREADS: 'Writes and reads',
  HEDDLE_SQL_AT_ONCE: 'SQL',
  HEDDLE_ARTIFACTS: 'Files and S3',
  HEDDLE_SECRETS_KEY: 'Model providers',
  REDIS_URL: 'Redis',
  HEDDLE_TRAINING_PORT: 'Chat and training queues',
  HEDDLE_NODES: 'GPU nodes',
  HEDDLE_TRAINING_NODES: 'Training',
  HEDDLE_EVALUATION_JOBS: 'Evaluations',
  HEDDLE_LOG_LEVEL: 'Logs',
  OTEL_EXPORTER_OTLP_ENDPOINT: "Spans of Heddle's own work",
  HEDDLE_TRAINING_URL: 'Addresses of other roles',
}

// Settings by variable; the first role that reads one describes it.
const settings = new Map()
for (const role of Object.keys(ROLES))
  for (const setting of Object.values(processes[role]))
    if (!settings.has(setting.variable)) settings.set(setting.variable, setting)

function readBy(variable) {
  const roles = Object.keys(ROLES).filter((role) => named(role, variable) !== undefined)
  if (roles.length === Object.keys(ROLES).length && !roles.some((role) => named(role, variable).required))
    return 'every role'
  return roles.map((role) => ROLES[role] + (named(role, variable).required ? ' (required)' : '')).join(', ')
}

function named(role, variable) {
  return Object.values(processes[role]).find((setting) => setting.variable === variable)
}

const sections = []
for (const setting of settings.values()) {
  const title = SECTIONS[setting.variable]
  if (title !== undefined) sections.push({ title, settings: [] })
  sections.at(-1).settings.push(setting)
}
if (sections.length !== Object.keys(SECTIONS).length)
  throw new Error('a section of docs/configuration.md starts with an unknown variable')

const commands = Object.entries(COMMANDS).map(([name, command]) => {
  const variables = Object.values(processes[name]).map(({ variable }) => `\`${variable}\``)
  return `| ${command} | ${variables.join(', ')} |`
})
const text = `# Configuration

All settings are environment variables; an empty one counts as unset. If a value is invalid, the process exits with
status 2 and names each invalid variable. \`heddle <command> --help\` lists the variables of a command, and
\`heddle doctor\` names unknown ones.

\`make docs\` generates this file from \`platform/config/settings.ts\`.

${sections.map(({ title, settings }) => `## ${title}\n\n${docsTable(settings, readBy)}\n`).join('\n')}
## Commands

| Command | Reads |
|---|---|
${commands.join('\n')}
`

if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} is out of date; run \`make docs\``)
  process.exit(1)
}
