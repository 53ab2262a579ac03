/** The page of a run, and its figures as JSON. Parts measured before under the same name and date stay on it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Figures, markdown } from './figures.js'
import type { Machine } from './machine.js'
import { PARTS, type Part } from './settings.js'

/** How and of what a part was measured. */
interface Origin {
  command: string
  commit: string
  store: string
}

export interface Results {
  name: string
  date: string
  machine: Machine
  measured: Partial<Record<Part, Origin>>
  figures: Partial<Record<Part, Figures>>
}

/** Writes the page and the JSON of `fresh` together with what `file` (without its ending) has already; returns the page. */
export function writePage(file: string, fresh: Results): string {
  const earlier = existsSync(`${file}.json`)
    ? (JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Results)
    : fresh
  const results = {
    ...fresh,
    measured: { ...earlier.measured, ...fresh.measured },
    figures: { ...earlier.figures, ...fresh.figures },
  }
  const page = report(results)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.md`, page)
  writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 1)}\n`)
  return page
}

function report({ machine, date, name, measured, figures }: Results): string {
  const versions = Object.entries(machine.versions).map(([key, value]) => `${key} ${value}`)
  const head = [
    `# ${date} · ${name}`,
    `${machine.cores} cores (${machine.model}), ${machine.memoryGB} GB, ${machine.system}, Node ${machine.node}; ${versions.join(', ')}. The load runs on the same cores.`,
    origins(measured),
  ]
  return `${markdown([...head, ...PARTS.flatMap((part) => figures[part] ?? [])])}\n`
}

/** A line for each command that measured something, with what it measured. */
function origins(measured: Results['measured']): string {
  const byCommand = new Map<string, Part[]>()
  for (const part of PARTS) {
    const origin = measured[part]
    if (!origin) continue
    const line = `\`${origin.command}\` at commit ${origin.commit}, store: ${origin.store}`
    byCommand.set(line, [...(byCommand.get(line) ?? []), part])
  }
  return [...byCommand].map(([line, parts]) => `- ${parts.join(', ')}: ${line}`).join('\n')
}
