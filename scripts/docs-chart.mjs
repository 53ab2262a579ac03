// Writes the chart's README.md and values.schema.json from its values.yaml: the comment above a value documents it, the
// default gives its type. With --check it only says whether the files are up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { isMap, parseDocument } from 'yaml'

const CHART = 'infra/helm/heddle'
const document = parseDocument(readFileSync(`${CHART}/values.yaml`, 'utf8'))
const values = document.toJS()

/** Maps whose keys the operator chooses, whatever the defaults are. */
const FREE = new Set('resources behavior labels annotations nodeSelector affinity'.split(' '))
/** Facts from a comment that a default can't express. */
const CHOICES = {
  pullPolicy: ['Always', 'IfNotPresent', 'Never'],
  antiAffinity: ['soft', 'hard', 'none'],
  whenUnsatisfiable: ['ScheduleAnyway', 'DoNotSchedule'],
  type: ['ClusterIP', 'NodePort', 'LoadBalancer'],
}
const ROLES = ['tracing', 'ingest', 'trainingApi', 'inferenceWorker', 'trainerWorker', 'evaluationWorker']
const NAME = { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 20 }

function schemaOf(value, key) {
  if (Array.isArray(value)) return { type: 'array' }
  if (value !== null && typeof value === 'object') {
    if (FREE.has(key) || Object.keys(value).length === 0) return { type: 'object' }
    const properties = Object.entries(value).map(([name, one]) => [name, schemaOf(one, name)])
    return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
  }
  if (CHOICES[key]) return { enum: CHOICES[key] }
  if (typeof value === 'boolean') return { type: 'boolean' }
  if (key === 'maxSurge' || key === 'maxUnavailable') return { type: ['integer', 'string'] }
  if (key === 'ratio') return { type: 'number', minimum: 0, maximum: 1 }
  if (key === 'endpoint') return { type: 'string', pattern: '^(https?://[^/@\\s]+(/\\S*)?)?$' }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { type: 'integer', minimum: 0 } : { type: 'number' }
  // Quantities and similar values may be numbers.
  return key === 'averageValue' ? { type: ['string', 'number'] } : { type: 'string' }
}

function schema() {
  const role = schemaOf(values.roleDefaults)
  const pool = schemaOf(values.modelServer.defaults)
  const root = schemaOf(values)
  // Helm passes this to subcharts.
  for (const name of ['clickhouse', 'redis']) root.properties[name].properties.global = { type: 'object' }
  for (const name of ROLES) root.properties[name] = { $ref: '#/$defs/role' }
  root.properties.modelServer.properties.pools = { type: 'array', items: { $ref: '#/$defs/pool' } }
  const given = {
    type: 'array',
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  }
  const settings = {
    type: 'object',
    propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  }
  for (const owner of [root, role, pool, root.properties.modelServer.properties.defaults]) {
    if (owner.properties.extraEnv) owner.properties.extraEnv = given
    if (owner.properties.settings) owner.properties.settings = settings
  }
  root.properties.roleDefaults = { ...role }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Values of the chart heddle',
    ...root,
    properties: { ...root.properties, global: { type: 'object' } },
    $defs: {
      role: {
        ...role,
        properties: { enabled: { type: 'boolean' }, ...role.properties },
        required: ['enabled'],
      },
      pool: {
        ...pool,
        properties: {
          name: NAME,
          models: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              properties: {
                name: { type: 'string', minLength: 1 },
                model: { type: 'string' },
                demo: { type: 'boolean' },
              },
              required: ['name'],
              additionalProperties: false,
            },
          },
          ...pool.properties,
        },
        required: ['name', 'models'],
      },
    },
  }
}

/** Rows of a map: path, default, meaning. A value without a comment is a mistake. */
function rows(map, path = []) {
  return map.items.flatMap(({ key, value }, i) => {
    const here = [...path, key.value]
    const comment = (key.commentBefore ?? (i === 0 ? map.commentBefore : undefined) ?? '').trim()
    if (isMap(value) && value.items.length > 0 && key.value !== 'labels') return rows(value, here)
    if (comment === '') throw new Error(`${CHART}/values.yaml: ${here.join('.')} has no comment`)
    const text = comment.split(/\n\n/).at(-1).replaceAll(/\n\s*/g, ' ').trim().replaceAll('|', '\\|')
    return [`| \`${here.join('.')}\` | \`${JSON.stringify(value.toJSON())}\` | ${text} |`]
  })
}

function sections() {
  const loose = []
  const titled = []
  for (const pair of document.contents.items) {
    const name = pair.key.value
    if (isMap(pair.value) && pair.value.items.length > 0) {
      const about = (pair.key.commentBefore ?? '').split(/\n\n/).at(-1).replaceAll(/\n\s*/g, ' ').trim()
      titled.push(
        `### \`${name}\`\n\n${about ? `${about}\n\n` : ''}${HEAD}${rows(pair.value, [name]).join('\n')}\n`,
      )
    } else loose.push(...rows({ items: [pair] }))
  }
  return `${HEAD}${loose.join('\n')}\n\n${titled.join('\n')}`
}

const HEAD = '| Value | Default | |\n|---|---|---|\n'
const README = `# heddle

Heddle on Kubernetes, one workload per role. Installs a ClickHouse and a Redis, or uses yours.

\`\`\`sh
helm install heddle infra/helm/heddle --namespace heddle --create-namespace
helm --namespace heddle test heddle
\`\`\`

Needs Kubernetes 1.31 and helm 3.16 or later. [Install guide](../../../docs/operate/install.md),
[upgrade notes](UPGRADE.md).

| Role | Does | Needs |
|---|---|---|
| tracing | serves the tracing interface; the default backend | ClickHouse; Redis, if there is more than one pod |
| ingest | serves only its writes | ClickHouse |
| training-api | serves models, jobs and chat completions | ClickHouse, Redis |
| inference-worker | runs chat completions on GPU nodes | Redis, nodes |
| trainer-worker | runs training jobs on GPU nodes | ClickHouse, Redis, nodes, artifacts |
| evaluation-worker | runs evaluations and scoring | ClickHouse, Redis |
| model-server | runs a model on its GPUs: one StatefulSet per model of each pool | artifacts |

A GPU pool with two models, and your own ClickHouse:

\`\`\`yaml
clickhouse: { enabled: false }
externalClickhouse: { url: 'https://clickhouse.example.com:8443', user: heddle, existingSecret: clickhouse-login }
artifacts: { address: 's3://heddle/artifacts', existingSecret: s3-keys }
modelServer:
  pools:
    - name: large
      gpu: { count: 2 }
      settings: { HEDDLE_NODE_VLLM_ARGS: '--tensor-parallel-size 2' }
      nodeSelector: { nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3 }
      models:
        - { name: base-8b, model: /models/base-8b }
        - { name: base-70b, model: /models/base-70b }
      modelsVolume: { existingClaim: models }
\`\`\`

## Values

Every role inherits \`roleDefaults\`, every pool \`modelServer.defaults\`. \`make docs\` generates this list from
[values.yaml](values.yaml).

${sections()}`

const made = {
  'README.md': README,
  'values.schema.json': `${JSON.stringify(schema(), null, 2)}\n`,
}
for (const [file, text] of Object.entries(made)) {
  const path = `${CHART}/${file}`
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is out of date; run \`make docs\``)
    process.exitCode = 1
  }
}
