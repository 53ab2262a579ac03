/**
 * The npm weave SDK evaluating: three scorers, rows that fail, trials. PROJECT names the project. Reports what the SDK
 * returned as summary.
 */
import * as weave from 'weave'
import { report } from './result.mjs'

const client = await weave.init(process.env.PROJECT)
const rows = Array.from({ length: 6 }, (_, n) => ({ id: `r${n}`, question: `${n} + ${n}`, answer: n + n }))

const adder = weave.op(async function adder({ datasetRow }) {
  const n = Number(datasetRow.question.split(' ')[0])
  if (n === 4) throw new Error('4 is too much')
  return { sum: n + n + (n % 2) }
})
const right = weave.op(function right({ modelOutput, datasetRow }) {
  return modelOutput.sum === datasetRow.answer
})
const distance = weave.op(function distance({ modelOutput, datasetRow }) {
  const away = Math.abs(modelOutput.sum - datasetRow.answer)
  return { away, near: away < 2 }
})
const digits = weave.op(function digits({ modelOutput }) {
  return String(modelOutput.sum).length / 2
})

const evaluation = new weave.Evaluation({
  id: 'js-sums',
  dataset: new weave.Dataset({ id: 'js-additions', rows }),
  scorers: [right, distance, digits],
})
const log = console.log
// The SDK says how far it is, on the stream that the report goes to; and what failed.
console.log = () => {}
console.error = () => {}
const summary = await evaluation.evaluate({ model: adder, nTrials: 2 })
console.log = log
await client.waitForBatchProcessing()
report({ summary })
