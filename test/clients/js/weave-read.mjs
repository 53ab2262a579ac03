// Reads calls back through the npm weave SDK. PROJECT names the project, FILTERS is JSON: name → a calls
// filter with an optional limit, IDS a JSON list. Reports what each gave.
import * as weave from 'weave'
import { report } from './result.mjs'

const client = await weave.init(process.env.PROJECT, { printCallLink: false })
const found = {}
for (const [name, { filter, limit }] of Object.entries(JSON.parse(process.env.FILTERS ?? '{}'))) {
  found[name] = []
  for await (const call of client.getCallsIterator(filter, false, limit)) found[name].push(call)
}
const single = {}
for (const id of JSON.parse(process.env.IDS ?? '[]')) {
  const call = await client.getCall(id)
  single[id] = { id: call.id, op_name: call.op_name, inputs: call.inputs, output: call.output }
}
report({ found, single })
