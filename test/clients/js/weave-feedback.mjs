/**
 * The npm weave SDK giving feedback: the scores of an evaluation that it logs, kept as feedback on the predictions, and
 * what its client of the interface takes. PROJECT names the project. Reports what it reads back.
 */
import * as weave from 'weave'
import { report } from './result.mjs'

const project_id = process.env.PROJECT
const client = await weave.init(project_id)
const logger = new weave.EvaluationLogger({ name: 'sums', model: 'adder', dataset: 'pairs' })
for (const [a, b] of [
  [1, 2],
  [3, 4],
]) {
  const prediction = logger.logPrediction({ a, b }, a + b)
  await prediction.logScore('exact', a + b === 3)
  await prediction.finish()
}
await logger.logSummary({ done: true })
await client.waitForBatchProcessing()

const api = client.traceServerApi.feedback
const { data: scores } = await api.feedbackQueryFeedbackQueryPost({
  project_id,
  sort_by: [{ field: 'created_at', direction: 'asc' }],
})
const weave_ref = scores.result[0].weave_ref
const { data: made } = await api.feedbackCreateFeedbackCreatePost({
  project_id,
  weave_ref,
  feedback_type: 'wandb.reaction.1',
  payload: { emoji: '🎉' },
})
const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: made.id }] } }
const { data: found } = await api.feedbackQueryFeedbackQueryPost({ project_id, query })
await api.feedbackPurgeFeedbackPurgePost({ project_id, query })
const { data: left } = await api.feedbackQueryFeedbackQueryPost({ project_id })
report({
  scores: scores.result.map(({ feedback_type, payload }) => [feedback_type, payload]),
  made: made.payload.alias,
  found: found.result.map(({ payload }) => payload.emoji),
  left: left.total_count,
})
