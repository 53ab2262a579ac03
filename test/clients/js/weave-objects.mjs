/**
 * The npm weave SDK publishing: an object, an op, a dataset. PROJECT names the project. Reports what it read back.
 */
import * as weave from 'weave'
import { report } from './result.mjs'

const client = await weave.init(process.env.PROJECT)
const found = {}

const ref = await client.publish({ one: 1.5, text: 'żółć 🧵', list: [1, null, true] }, 'js-thing')
found.value = await client.get(ref)

const rows = Array.from({ length: 10_000 }, (_, n) => ({ id: n, half: n / 2 }))
const dataset = new weave.Dataset({ id: 'js-rows', rows })
const saved = await dataset.save()
const read = []
for await (const row of await client.get(saved)) read.push(row)
found.dataset = [read.length, read[9_999]?.id, read[9_999]?.half]

const shout = weave.op(async function shout(text) {
  return text.toUpperCase()
})
found.op = await shout('loud')
await client.waitForBatchProcessing()
report(found)
