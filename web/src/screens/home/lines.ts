/** What to paste into a client, so that its first trace comes here. Pure. */

export interface Target {
  /** of this service */
  origin: string
  /** entity/project */
  project: string
  key: string
}

interface Step {
  title: 'Install' | 'In the terminal' | 'In a program'
  text: string
}

export interface Client {
  name: string
  /** what it needs that its lines don't hold */
  note?: string
  steps: (target: Target) => readonly Step[]
}

/** Stands where a key belongs until there is one. */
export const NO_KEY = 'hk_…'

const MODEL = 'gpt-4o-mini'
const ASKED = [{ role: 'user', content: 'How is the weather in Paris?' }]
const ANSWERED = { role: 'assistant', content: 'It is sunny in Paris.' }
const USAGE = { prompt_tokens: 14, completion_tokens: 7 }

const PROVIDER = 'Uses your OPENAI_API_KEY. Without one, take Python or curl: they ask no provider.'

/** For addresses, within double quotes of a shell. */
const inAddress = (project: string) => project.split('/').map(encodeURIComponent).join('/')

/** A literal of Python and of JavaScript. */
const literal = (text: string) => JSON.stringify(text)
/** Of our own values, as Python's formatters write them. */
const spaced = (value: object) =>
  JSON.stringify(value)
    .replaceAll(/([:,])"/g, '$1 "')
    .replaceAll(/":(?=\d)/g, '": ')

const install = (command: string): Step => ({ title: 'Install', text: command })
const program = (lines: readonly string[]): Step => ({ title: 'In a program', text: lines.join('\n') })
const terminal = (lines: readonly string[]): Step => ({ title: 'In the terminal', text: lines.join('\n') })

const weaveSettings = ({ origin, key }: Target) =>
  terminal([
    `export WANDB_BASE_URL=${origin}`,
    `export WF_TRACE_SERVER_URL=${origin}`,
    `export WANDB_API_KEY=${key}`,
  ])
const otlpSettings = ({ origin, key, project }: Target) =>
  terminal([
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${origin}/otel/v1/traces`,
    `export OTEL_EXPORTER_OTLP_TRACES_HEADERS="Authorization=Bearer%20${key},project_id=${inAddress(project)}"`,
  ])

const ASK_OPENAI = [
  'OpenAI().chat.completions.create(',
  `    model=${literal(MODEL)},`,
  `    messages=${spaced(ASKED)},`,
  ')',
]

/** First what most have. */
export const CLIENTS: readonly Client[] = [
  {
    name: 'OpenAI',
    note: PROVIDER,
    steps: (target) => [
      install('pip install weave openai'),
      weaveSettings(target),
      program([
        'import weave',
        'from openai import OpenAI',
        '',
        `weave.init(${literal(target.project)})`,
        '',
        ...ASK_OPENAI,
      ]),
    ],
  },
  {
    name: 'OpenAI, OpenTelemetry',
    note: PROVIDER,
    steps: (target) => [
      install(
        'pip install openai openinference-instrumentation-openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http',
      ),
      otlpSettings(target),
      program([
        'from openai import OpenAI',
        'from openinference.instrumentation.openai import OpenAIInstrumentor',
        'from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter',
        'from opentelemetry.sdk.trace import TracerProvider',
        'from opentelemetry.sdk.trace.export import BatchSpanProcessor',
        '',
        'provider = TracerProvider()',
        'provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))',
        'OpenAIInstrumentor().instrument(tracer_provider=provider)',
        '',
        ...ASK_OPENAI,
        'provider.shutdown()',
      ]),
    ],
  },
  {
    name: 'Python',
    note: 'No provider is asked: the answer is in the program.',
    steps: (target) => [
      install('pip install weave'),
      weaveSettings(target),
      program([
        'import weave',
        '',
        `weave.init(${literal(target.project)})`,
        '',
        '@weave.op',
        'def answer(model: str, messages: list) -> dict:',
        '    # Ask any model here.',
        `    message = ${spaced(ANSWERED)}`,
        `    usage = ${spaced(USAGE)}`,
        '    return {"model": model, "choices": [{"message": message}], "usage": usage}',
        '',
        `answer(${literal(MODEL)}, ${spaced(ASKED)})`,
      ]),
    ],
  },
  {
    name: 'TypeScript',
    steps: (target) => [
      install('npm install weave'),
      weaveSettings(target),
      program([
        "import * as weave from 'weave'",
        '',
        `await weave.init(${literal(target.project)})`,
        'const greet = weave.op(async function greet(name: string) {',
        `  return \`hello \${name}\``,
        '})',
        "await greet('you')",
      ]),
    ],
  },
  {
    name: 'OpenTelemetry',
    note: 'For any exporter of OTLP over HTTP.',
    steps: (target) => [otlpSettings(target)],
  },
  {
    name: 'curl',
    note: 'No provider is asked: the answer is in the lines.',
    steps: ({ origin, project, key }) => {
      const id = crypto.randomUUID?.() ?? `c${Date.now()}`
      const call = {
        ...{ project_id: project, id, trace_id: id, op_name: 'chat' },
        ...{ started_at: 'NOW', ended_at: 'NOW', attributes: {} },
        ...{ inputs: { model: MODEL, messages: ASKED }, output: { choices: [{ message: ANSWERED }] } },
        summary: { usage: { [MODEL]: { ...USAGE, requests: 1 } } },
      }
      const body = JSON.stringify({ batch: [call] })
        .replaceAll("'", '\\u0027')
        .replaceAll('"NOW"', `"'$now'"`)
      return [
        terminal([
          'now=$(date -u +%Y-%m-%dT%H:%M:%SZ)',
          `curl -u "api:${key}" "${origin}/v2/${inAddress(project)}/calls/complete" \\`,
          "  -H 'content-type: application/json' \\",
          `  -d '${body}'`,
        ]),
      ]
    },
  },
]
