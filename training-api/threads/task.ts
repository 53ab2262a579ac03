/** The tasks of the training interface's threads: reading bodies, which may be long. */
import { readChat } from '../../domain/chat/request.js'
import { readLine } from '../batches/line.js'
import { readCompletion } from '../completions/read.js'
import { readEmbedding } from '../embeddings/read.js'
import { conversationLine } from '../jobs/conversation.js'
import { dataOfUrl } from '../jobs/data-url.js'
import { groupLine } from '../jobs/group.js'
import { readMessage } from '../messages/read.js'
import { readResponse } from '../responses/read.js'

export const WORK = {
  chat: readChat,
  message: readMessage,
  response: readResponse,
  completion: readCompletion,
  embedding: readEmbedding,
  group: groupLine,
  conversation: conversationLine,
  dataUrl: dataOfUrl,
  batchLine: readLine,
}
