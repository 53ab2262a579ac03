/** `heddle prompts`: prints the text or the messages of a version, and publishes those of a file. */
import { isObject } from '../../platform/json/object.js'
import { CommandError } from '../command.js'
import { projectNamed, type Target } from '../http-client.js'
import type { Shown } from '../shown.js'
import { publish, textFrom } from './objects.js'
import { readVersion, refOf, versionNamed } from './version.js'

/** A text as it is, messages as JSON. @throws CommandError for another object */
export async function promptScreen(to: Target, project: string, name: string): Promise<Shown> {
  const named = versionNamed(project, name)
  const { val, ...found } = await readVersion(to, named)
  const { content, messages } = isObject(val) ? val : {}
  const value = { ref: refOf(named.project, found), aliases: found.aliases ?? [] }
  if (typeof content === 'string') return { value: { ...value, prompt: content }, text: `${content}\n` }
  if (Array.isArray(messages))
    return { value: { ...value, prompt: messages }, text: `${JSON.stringify(messages, undefined, 2)}\n` }
  throw new CommandError(`${name} is not a prompt; \`heddle prompts list ${project}\` lists them`, 2)
}

/** Publishes a version. @param file a text, or a JSON list of messages; `-`: the standard input */
export async function pushPrompt(to: Target, project: string, name: string, file: string): Promise<Shown> {
  const text = await textFrom(file)
  const messages = messagesIn(text)
  const val = {
    ...classOf(messages === undefined ? 'StringPrompt' : 'MessagesPrompt'),
    ...{ name, description: null },
    // The line end of the file is no part of the prompt.
    ...(messages === undefined ? { content: text.replace(/\r?\n$/, '') } : { messages }),
  }
  return publish(to, projectNamed(project), name, JSON.stringify(val))
}

/** undefined: it is a text. */
function messagesIn(text: string): unknown[] | undefined {
  try {
    const value = JSON.parse(text) as unknown
    const isList = Array.isArray(value) && value.length > 0
    return isList && value.every((one) => isObject(one) && typeof one.role === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

const classOf = (name: string) => ({
  _type: name,
  _class_name: name,
  _bases: ['Prompt', 'Object', 'BaseModel'],
})
