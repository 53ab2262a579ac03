// Prints how many lines of production code there are, by folder: TypeScript, Python, SQL and protobuf that git has, without
// tests and their helpers, what is generated, the pages, bench and infra.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const COUNTED = /\.(ts|py|sql|proto)$/
const LEFT_OUT =
  /^(web|bench|infra|test|docs|scripts)\/|(^|\/)(testing|tests|bench|__snapshots__)\/|\.test\.ts$|_pb2|vitest\.config|assembly\/columns\.ts$|contract\/descriptions\.ts$/

const sizes = new Map()
for (const file of execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')) {
  if (!COUNTED.test(file) || LEFT_OUT.test(file)) continue
  const room = file.split('/')[0]
  sizes.set(room, (sizes.get(room) ?? 0) + readFileSync(file, 'utf8').split('\n').length - 1)
}
const all = [...sizes].sort((a, b) => b[1] - a[1])
const total = all.reduce((sum, [, lines]) => sum + lines, 0)
console.log(`${total} lines: ${all.map(([room, lines]) => `${room} ${lines}`).join(', ')}`)
