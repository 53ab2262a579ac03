/** Where exported files lie: `calls/acme/demo/2026-11-27T05.parquet`, and beside them a manifest. Pure. */
import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The time that a file is for. */
export const UNITS = ['hour', 'day'] as const
export type Unit = (typeof UNITS)[number]

/** In microseconds. */
export const MICROS_OF: Readonly<Record<Unit, number>> = { hour: 3_600e6, day: 86_400e6 }
/** What of an ISO time names a unit. */
const NAME_LENGTH: Readonly<Record<Unit, number>> = {
  hour: '2026-11-27T05'.length,
  day: '2026-11-27'.length,
}

export const MANIFEST = 'manifest.json'

/** The rows of a unit, as the store has them. */
export interface Mark {
  /** in µs since the epoch */
  from: number
  rows: number
  /** another one, if any of the rows is another one */
  mark: string
}

const manifest = z.object({
  format: z.literal(1),
  view: z.string(),
  project: z.string(),
  unit: z.enum(UNITS),
  columns: z.array(z.object({ name: z.string(), type: z.string(), doc: z.string() })),
  /** by time */
  files: z.array(
    z.object({
      name: z.string(),
      /** ISO 8601 */
      from: z.string(),
      /** ISO 8601, exclusive */
      to: z.string(),
      /** when the mark was read; the file has what came since, too */
      rows: z.number(),
      mark: z.string(),
    }),
  ),
})
export type Manifest = z.infer<typeof manifest>
export type File = Manifest['files'][number]

/** A manifest; undefined if there is none, or none that this version reads. */
export function manifestOf(text: string | undefined): Manifest | undefined {
  if (text === undefined) return undefined
  try {
    return manifest.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** @returns the key without a slash at its end */
export function folderOf(view: string, project: string): string {
  return [view, ...project.split('/').map(escaped)].join('/')
}

/** Names of this length and longer are cut. */
const LONG = 150

/** A name as a part of a key; different ones for different names. */
function escaped(name: string): string {
  const bytes = (text: string) => [...Buffer.from(text)]
  const text = name.replaceAll(/^\.+$|[^\w.-]/gu, (some) =>
    bytes(some)
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
  if (text.length < LONG) return text
  return `${text.slice(0, LONG)}.${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

/** The file of a unit. */
export function fileOf({ from, rows, mark }: Mark, unit: Unit): File {
  const iso = (micros: number) => new Date(micros / 1000).toISOString()
  return {
    name: `${iso(from).slice(0, -'.000Z'.length).slice(0, NAME_LENGTH[unit])}.parquet`,
    ...{ from: iso(from), to: iso(from + MICROS_OF[unit]), rows, mark },
  }
}

/** What an export has to do for a view of a project. */
interface Plan {
  /** files to write, or to write again */
  write: File[]
  /** files that are as they should be */
  keep: File[]
  /** names of files whose rows are gone, or that nothing tells of */
  remove: string[]
}

/**
 * @param wanted the files by what the store has
 * @param known those of the manifest
 * @param there the names of what lies at the destination
 */
export function planOf(wanted: readonly File[], known: readonly File[], there: ReadonlySet<string>): Plan {
  const marks = new Map(known.map(({ name, mark }) => [name, mark]))
  const isKept = ({ name, mark }: File) => there.has(name) && marks.get(name) === mark
  const names = new Set(wanted.map(({ name }) => name))
  return {
    write: wanted.filter((file) => !isKept(file)),
    keep: wanted.filter(isKept),
    remove: [...there].filter((name) => !names.has(name)),
  }
}
