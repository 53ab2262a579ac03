/** Tells the slow unit tests, which start an engine, a Redis or another process, from the fast ones. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const STARTS = /\bstartEmbedded\(|\bstartTestEngine\(|\bsharedTestEngine\(|\bstartRedis\(|node:child_process/
const IMPORT = /from '(\.[^']+)\.js'/g
/** Compute for a minute, or wait for long, in one process. */
const LONG = /(main-thread|slow-answer)\.test\.ts$/

/** The unit tests below the folders; `slow`: it, or a helper of it in a `testing/` folder, starts a process. */
export function unitTests(folders: readonly string[]): { file: string; slow: boolean }[] {
  const known = new Map<string, boolean>()
  const starts = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const text = readFileSync(file, 'utf8')
    const imports = [...text.matchAll(IMPORT)].map(([, from]) => join(dirname(file), `${from}.ts`))
    const found = STARTS.test(text) || imports.filter((path) => path.includes('/testing/')).some(starts)
    known.set(file, found)
    return found
  }
  const all = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const tests = all.filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  return tests.map((file) => ({ file, slow: LONG.test(file) || starts(file) }))
}
