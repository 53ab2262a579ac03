/** Paths of rules: which fields of JSON they mean. `inputs.user.name`, `*` for any one part, `**.ssn` for `ssn` anywhere. */

/** Whether a path means the field with these parts, which may have dots of their own. */
export type PathTest = (parts: readonly string[]) => boolean

/** @throws Error that says what is wrong with it */
export function pathTest(path: string): PathTest {
  const isAnywhere = path.startsWith('**.')
  const wanted = (isAnywhere ? path.slice(3) : path).split('.')
  if (wanted.some((part) => part === '' || part === '**')) throw new Error(`"${path}" is not a path of names`)
  return (parts) => {
    // Attributes of exporters have names with dots; what they mean is the same.
    const all = parts.length === wanted.length ? parts : parts.flatMap((part) => part.split('.'))
    const from = all.length - wanted.length
    if (from < 0 || (from > 0 && !isAnywhere)) return false
    return wanted.every((part, i) => part === '*' || part === all[from + i])
  }
}
