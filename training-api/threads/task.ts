/** What threads are asked to do for the training interface: to read what callers send, which may be long. */
import { readChat } from '../../domain/chat/request.js'
import { conversationLine } from '../jobs/conversation.js'
import { dataOfUrl } from '../jobs/data-url.js'
import { groupLine } from '../jobs/group.js'

const WORK = { chat: readChat, group: groupLine, conversation: conversationLine, dataUrl: dataOfUrl }

export type Work = typeof WORK
export type Kind = keyof Work
export type Input<K extends Kind> = Parameters<Work[K]>[0]

export interface Task {
  kind: Kind
  input: Input<Kind>
}

/** Does the work here. */
export function work<K extends Kind>(kind: K, input: Input<K>): ReturnType<Work[K]> {
  const jobs: { [Name in Kind]: (input: Input<Name>) => ReturnType<Work[Name]> } = WORK
  return jobs[kind](input)
}
