/** Where in a note somebody is being mentioned. Pure. */

/** The name that is being written before the caret; undefined: none is. */
export function mentionAt(text: string, caret: number): { start: number; prefix: string } | undefined {
  const [found, prefix = ''] = /(?<![\w.@%+-])@([\p{L}\p{N}_.@+-]{0,100})$/u.exec(text.slice(0, caret)) ?? []
  return found === undefined ? undefined : { start: caret - found.length, prefix }
}
