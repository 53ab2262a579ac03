/** All tools, in the order of their list. */
import type { Tool } from './tool.js'
import { addToDataset, addToQueue, giveFeedback } from './tools/add.js'
import { readCall } from './tools/call.js'
import { readTrace, searchCalls } from './tools/calls.js'
import { readConversation } from './tools/conversation.js'
import { compareEvaluations } from './tools/evaluations.js'
import { readObjects } from './tools/objects.js'
import { findProjects } from './tools/projects.js'
import { sql } from './tools/sql.js'
import { readTraining, startEvaluation, startTraining } from './tools/start.js'
import { stats } from './tools/stats.js'

export const TOOLS: readonly Tool[] = [
  ...[findProjects, searchCalls, readTrace, readCall, readConversation, stats, sql],
  ...[compareEvaluations, readObjects, readTraining],
  ...[addToDataset, addToQueue, giveFeedback, startEvaluation, startTraining],
]
