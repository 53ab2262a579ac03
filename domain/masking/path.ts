/** Paths of rules: which fields of JSON they mean. `inputs.user.name`, `*` for any one part, `**.ssn` for `ssn` anywhere. */

/** Whether a path means the field with these parts, or one that it is in, which may have dots of their own. */
export type PathTest = (parts: readonly string[]) => boolean

/** @throws Error that says what is wrong with it */
export function pathTest(path: string): PathTest {
  const isAnywhere = path.startsWith('**.')
  const wanted = (isAnywhere ? path.slice(3) : path).split('.')
  if (wanted.some((part) => part === '' || part === '**')) throw new Error(`"${path}" is not a path of names`)
  return (parts) => {
    // Attributes of exporters have names with dots; what they mean is the same.
    const all = parts.some((part) => part.includes('.')) ? parts.flatMap((part) => part.split('.')) : parts
    const last = isAnywhere ? all.length - wanted.length : Math.min(0, all.length - wanted.length)
    for (let from = 0; from <= last; from++)
      if (wanted.every((part, i) => part === '*' || part === all[from + i])) return true
    return false
  }
}
