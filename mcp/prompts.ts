/** Prompts for the tasks that people come with most often. */
export interface TaskPrompt {
  name: string
  title: string
  description: string
  arguments: readonly { name: string; description: string; required: boolean }[]
  text: (given: Readonly<Record<string, string>>) => string
}

const project = { name: 'project', description: 'entity/project', required: true }

export const PROMPTS: readonly TaskPrompt[] = [
  {
    name: 'why_did_this_fail',
    title: 'Why did this fail?',
    description: 'Find the cause of a failed trace.',
    arguments: [project, { name: 'call', description: 'id of a call of the trace', required: true }],
    text: ({ project: where, call }) =>
      `The call ${call} in the Heddle project ${where} failed or gave a wrong answer. Find out why.
1. read_trace with this call_id: find the first span with an error, or where the answer goes wrong.
2. read_call of that span and of the one above it: what went in, what came out?
3. search_calls of the same op without errors, then read_call with compare_with: what differs?
Say the cause in one sentence, with the ids of the calls that show it, then what to change.`,
  },
  {
    name: 'what_got_worse',
    title: 'What got worse?',
    description: 'Compare two runs of an evaluation, or two weeks of a project.',
    arguments: [
      project,
      { name: 'before', description: 'id of the older run, or a time', required: true },
      { name: 'after', description: 'id of the newer run, or a time', required: true },
    ],
    text: ({ project: where, before, after }) =>
      `Find what got worse in the Heddle project ${where} between "${before}" and "${after}".
If they are ids of evaluation runs: compare_evaluations of both; then with sort_by for each score that fell, and read_call of the worst rows.
If they are times: stats by op and by model for as long before each of them: errors, p95, tokens, costs; then search_calls for examples of what rose.
List what got worse, the largest first, with numbers of both sides and ids of calls that show it. Say so if the difference may be chance.`,
  },
  {
    name: 'make_a_dataset',
    title: 'Make a dataset of these',
    description: 'Collect calls that match a description into a dataset.',
    arguments: [
      project,
      { name: 'what', description: 'which calls, in words', required: true },
      { name: 'dataset', description: 'name of the dataset', required: true },
    ],
    text: ({ project: where, what, dataset }) =>
      `Make the dataset "${dataset}" in the Heddle project ${where} of these calls: ${what}
1. search_calls to find them; follow next_cursor until there are enough. read_call where the beginning of a text does not tell.
2. Leave out duplicates, and calls with secrets or personal data; say how many.
3. add_to_dataset with their call_ids, at most 100 at once; read_objects shows the rows.
Say how many rows the dataset has, and which calls were doubtful.`,
  },
]
