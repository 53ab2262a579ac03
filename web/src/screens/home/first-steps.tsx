/** What to paste into a client, while a project is empty. */

import { useState } from 'react'
import { Snippet } from '../../ui/copy'
import { Tabs } from '../../ui/tabs'

interface Client {
  name: string
  /** @param origin of this service @param project entity/project */
  steps: (origin: string, project: string) => { title: string; text: string }[]
}

const WEAVE_SETTINGS = (origin: string) =>
  `export WANDB_BASE_URL=${origin}\nexport WF_TRACE_SERVER_URL=${origin}\nexport WANDB_API_KEY=hk_…`

const CLIENTS: readonly Client[] = [
  {
    name: 'Python',
    steps: (origin, project) => [
      { title: 'In the terminal', text: `pip install weave\n${WEAVE_SETTINGS(origin)}` },
      {
        title: 'In the program',
        text: `import weave\n\nweave.init("${project}")\n\n@weave.op\ndef greet(name: str) -> str:\n    return f"hello {name}"\n\ngreet("you")`,
      },
    ],
  },
  {
    name: 'TypeScript',
    steps: (origin, project) => [
      { title: 'In the terminal', text: `npm install weave\n${WEAVE_SETTINGS(origin)}` },
      {
        title: 'In the program',
        text: `import * as weave from 'weave'\n\nawait weave.init('${project}')\nconst greet = weave.op(async function greet(name: string) {\n  return \`hello \${name}\`\n})\nawait greet('you')`,
      },
    ],
  },
  {
    name: 'OpenTelemetry',
    steps: (origin, project) => [
      {
        title: 'For any exporter, in the terminal',
        text: `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${origin}/otel/v1/traces\nexport OTEL_EXPORTER_OTLP_TRACES_HEADERS="Authorization=Bearer%20hk_…,project_id=${project}"`,
      },
    ],
  },
  {
    name: 'curl',
    steps: (origin, project) => {
      const now = new Date().toISOString()
      const call = {
        project_id: project,
        id: crypto.randomUUID?.() ?? 'c1',
        trace_id: 't1',
        op_name: 'greet',
        started_at: now,
        ended_at: now,
        attributes: {},
        inputs: { name: 'you' },
        output: 'hello you',
        summary: {},
      }
      return [
        {
          title: 'In the terminal',
          text: `curl -u "api:hk_…" ${origin}/v2/${project}/calls/complete \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify({ batch: [call] })}'`,
        },
      ]
    },
  },
]

export function FirstSteps({ project }: { project: string }) {
  const [chosen, setChosen] = useState(0)
  return (
    <div className="first-steps">
      <h1>Send your first trace</h1>
      <p className="muted">
        A project exists as soon as something is written to it. This page shows the first trace when it
        arrives.
      </p>
      <Tabs tabs={CLIENTS.map(({ name }, i) => [i, name] as const)} chosen={chosen} choose={setChosen} />
      {CLIENTS[chosen]!.steps(location.origin, project).map(({ title, text }) => (
        <section key={title}>
          <h3>{title}</h3>
          <Snippet text={text} />
        </section>
      ))}
      <p className="muted">
        <span className="spinner" aria-hidden /> Waiting for a trace in <code>{project}</code>. The key was
        printed when Heddle started; <code>heddle keys create</code> makes another.
      </p>
    </div>
  )
}
