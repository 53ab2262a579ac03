import { itemCreate } from '../../contract/langfuse-datasets.js'
import { type EndedRow, endedBlock, startedBlock } from '../../domain/calls/own.js'
import { type FinishedCall, finishedBlock, type StartedCall } from '../../domain/calls/record.js'
import { readChat } from '../../domain/chat/request.js'
import { reading } from '../../platform/http/lossless.js'
import { messagesText, readCompletionRequest } from '../completions/completion-request.js'
import { EVALUATION_WORK, split } from '../evaluation/bodies.js'
import { readFeedback, readFeedbackBatch, readFeedbackReplacement } from '../feedback/entry.js'
import { checkValues } from '../feedback/value-check.js'
import { announcedFile, readUpload } from '../files/form.js'
import { rowDigest } from '../langfuse/datasets/item.js'
import { readCreation } from '../objects/create.js'
import { readHidden, readShownCall, readShownFeedback, readShownRefs } from '../sharing/shown.js'
import { tableBlocks } from '../tables/blocks.js'
import { makeUpdate, prepareList, prepareTable, readUpdate } from '../tables/prepare.js'

/** Tasks by name: on a body, or on calls to store. */
export const WORK = {
  object: readCreation,
  table: prepareTable,
  list: prepareList,
  update: readUpdate,
  change: makeUpdate,
  blocks: tableBlocks,
  feedback: readFeedback,
  feedbackBatch: readFeedbackBatch,
  feedbackReplacement: readFeedbackReplacement,
  values: checkValues,
  upload: readUpload,
  announced: announcedFile,
  completion: readCompletionRequest,
  messages: messagesText,
  chat: readChat,
  sharedCall: readShownCall,
  sharedFeedback: readShownFeedback,
  sharedJson: readHidden,
  sharedRefs: readShownRefs,
  ...EVALUATION_WORK,
  langfuseItem: (bytes: Uint8Array) => split(bytes, itemCreate.body!, 'input', 'expectedOutput', 'metadata'),
  rowDigest,
  finishedBlock: (calls: readonly FinishedCall[]) => reading(() => finishedBlock(calls)),
  startedBlock: (calls: readonly StartedCall[]) => reading(() => startedBlock(calls)),
  endedBlock: (rows: readonly EndedRow[]) => reading(() => endedBlock(rows)),
}
