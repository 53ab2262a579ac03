/** The page of a run and its figures as JSON. Parts measured before under the same name and date stay on it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Results, report } from './report.js'

/** What was measured before, as far as `file` (without its ending) is there, with `fresh` over it. */
export function withEarlier(file: string, fresh: Results): Results {
  if (!existsSync(`${file}.json`)) return fresh
  const earlier = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Results
  return { ...earlier, ...fresh, measured: { ...earlier.measured, ...fresh.measured } }
}

/** Writes both files and returns the page. */
export function writePage(file: string, results: Results): string {
  const page = report(results)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.md`, page)
  writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 1)}\n`)
  return page
}
