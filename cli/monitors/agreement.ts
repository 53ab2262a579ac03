/** `heddle monitors agreement`: how far a monitor and people agree, and a dataset of where they don't. */
import { monitorAgreement } from '../../contract/monitors.js'
import { isObject } from '../../platform/json/object.js'
import { type AnswerTo, answerIn } from '../contract-client.js'
import { jsonLines, post, projectNamed, projectPath, sendJson, type Target } from '../http-client.js'
import { list, type Shown } from '../shown.js'

interface AgreementOptions {
  people: string
  path?: string
  invert?: boolean
  scorer?: string
  days: number
  dataset?: string
}

type Agreement = AnswerTo<typeof monitorAgreement>

interface Call {
  id: string
  inputs: unknown
  output: unknown
}

/** How far a monitor and people agree. */
export async function agreement(
  to: Target,
  project: string,
  monitor: string,
  { people, path, invert, scorer, days, dataset }: AgreementOptions,
): Promise<Shown> {
  const found = await answerIn(to, project, monitorAgreement, {
    ...{ monitor, days, scorer },
    people: { feedback_type: people, json_path: path ?? null, invert: invert ?? false },
  })
  const made = dataset === undefined ? '' : await datasetOf(to, project, dataset, found.disagreements)
  return { value: found, text: `${textOf(found, monitor)}${made}` }
}

function textOf({ scorer, count, agreed, kappa, confusion }: Agreement, monitor: string): string {
  if (scorer === null) return `${monitor} gave no scores in that time\n`
  if (count === 0) return 'there is no call that both judged\n'
  const share = `${Math.round((agreed / count) * 100)} %`
  const head = `${scorer} and people agree on ${agreed} of ${count} calls (${share})`
  const beyond = kappa === null ? '' : `, κ ${kappa.toFixed(2)}`
  const table = list(confusion, ['MONITOR', 'PEOPLE', 'CALLS'], (one) => [
    ...[one.monitor, one.people, one.count.toLocaleString('en-US')],
  ])
  return `${head}${beyond}\n${table.text}`
}

/** @returns what was made */
async function datasetOf(
  to: Target,
  project: string,
  name: string,
  disagreements: Agreement['disagreements'],
): Promise<string> {
  if (disagreements.length === 0) return 'no dataset was made: they disagree on nothing\n'
  const answer = await post(to, '/calls/stream_query', {
    project_id: projectNamed(project),
    filter: { call_ids: disagreements.map(({ call_id }) => call_id) },
    columns: ['inputs', 'output'],
  })
  const calls = new Map((await jsonLines<Call>(answer)).map((call) => [call.id, call]))
  const rows = disagreements.flatMap(({ call_id, ...said }) => {
    const call = calls.get(call_id)
    if (call === undefined) return []
    return [{ ...(isObject(call.inputs) ? call.inputs : {}), output: call.output, ...said, call_id }]
  })
  await sendJson(to, projectPath(project, 'datasets'), { name, rows })
  return `${rows.length} rows are in the dataset ${name}\n`
}
