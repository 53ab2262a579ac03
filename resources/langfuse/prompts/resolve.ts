/** Puts prompts into others that name them: `@@@langfusePrompt:name=a|label=production@@@`, or `|version=1`. */
import type { LangfusePrompt } from '../../../contract/langfuse-prompts.js'
import { errors } from '../../../platform/errors/catalog.js'

type Graph = NonNullable<LangfusePrompt['resolutionGraph']>
/** What of a prompt matters here. */
export type Part = Pick<LangfusePrompt, 'id' | 'name' | 'version' | 'type' | 'prompt'>
/** A version by number or by label. */
export interface Choice {
  version?: number | undefined
  label?: string | undefined
}

const TAG = /@@@langfusePrompt:name=([^|@]{1,300})\|(version|label)=([^|@]{1,200})@@@/g
const DEEPEST = 5
/** Prompts that one may be made of, and its characters: each level may name many. */
const MOST_PARTS = 200
const LONGEST = 1_000_000

/** @param find reads a prompt, with its tags @throws 400 for a prompt that can't be put together */
export async function resolved(
  root: Part,
  find: (name: string, choice: Choice) => Promise<Part | undefined>,
): Promise<{ prompt: Part['prompt']; graph: Graph | null }> {
  const graph: Graph = { root: reference(root), dependencies: {} }
  let parts = 0
  let length = 0

  const textOf = async (text: string, inside: Part, path: readonly string[]): Promise<string> => {
    const pieces: string[] = []
    let end = 0
    for (const { 0: tag, 1: name = '', 2: kind, 3: value = '', index } of text.matchAll(TAG)) {
      const choice = kind === 'version' ? { version: Number(value) } : { label: value }
      const part = await find(name, choice)
      if (part === undefined) throw problem(inside, `names ${name} (${kind} ${value}), which was not found`)
      if (typeof part.prompt !== 'string') throw problem(inside, `names ${name}, which is a chat`)
      if (path.includes(part.id)) throw problem(inside, `names ${name}, which it is a part of itself`)
      if (path.length > DEEPEST) throw problem(inside, `is the part of a part more than ${DEEPEST} times`)
      if (++parts > MOST_PARTS) throw problem(root, `is made of more than ${MOST_PARTS} prompts`)
      const known = graph.dependencies[inside.id] ?? []
      graph.dependencies[inside.id] = known
      if (!known.some(({ id }) => id === part.id)) known.push(reference(part))
      pieces.push(text.slice(end, index), await textOf(part.prompt, part, [...path, part.id]))
      end = index + tag.length
    }
    pieces.push(text.slice(end))
    const whole = pieces.join('')
    length += whole.length
    if (length > LONGEST) throw problem(root, `has more than ${LONGEST} characters with its parts`)
    return whole
  }

  const prompt =
    typeof root.prompt === 'string'
      ? await textOf(root.prompt, root, [root.id])
      : await Promise.all(
          root.prompt.map(async (message) =>
            typeof message.content === 'string'
              ? { ...message, content: await textOf(message.content, root, [root.id]) }
              : message,
          ),
        )
  return { prompt, graph: parts === 0 ? null : graph }
}

const reference = ({ id, name, version }: Part) => ({ id, name, version })

function problem({ name, version }: Part, why: string) {
  return errors.badRequest(`Version ${version} of the prompt "${name}" ${why}.`)
}
