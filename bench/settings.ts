/** What a run measures, from the environment. Pure. */

/** The parts of a run, in the order in which they are measured; each has a server and a folder of its own. */
export const PARTS = [
  'matrix',
  'readers',
  'ingest',
  'http',
  'read',
  'tools',
  'resources',
  'evaluation',
  'monitors',
  'alerts',
  'rules',
  'masking',
  'people',
  'victims',
  'training',
] as const
export type Part = (typeof PARTS)[number]

export interface Settings {
  parts: readonly Part[]
  /** Calls to read among. */
  calls: number
  /** Rows of the table. */
  tableRows: number
  /** Predictions of the evaluation's run. */
  predictions: number
  /** Measured seconds of a write scenario. */
  seconds: number
  /** The matrix in about three minutes. */
  shortMatrix: boolean
  /** Other stores of spans to run beside. */
  peers: { jaeger?: string; victoriatraces?: string }
  /** The results' name, part of a file's name. */
  name: string
  /** The command that measures the same. */
  command: string
}

const DEFAULTS = {
  BENCH_CALLS: 1_000_000,
  BENCH_TABLE_ROWS: 1_000_000,
  BENCH_EVALUATION_PREDICTIONS: 100_000,
  BENCH_SECONDS: 10,
}

/** Reads `BENCH_*`. @throws Error with the invalid one */
export function settingsFrom(env: Readonly<Record<string, string | undefined>>): Settings {
  const number = (name: keyof typeof DEFAULTS) => {
    const value = Number(env[name] || DEFAULTS[name])
    if (Number.isSafeInteger(value) && value > 0) return value
    throw new Error(`${name} is a whole number above 0, not "${env[name]}".`)
  }
  const calls = number('BENCH_CALLS')
  const name = env.BENCH_NAME || `${shortCount(calls)}-calls`
  if (!/^\w[\w.-]*$/.test(name))
    throw new Error(`BENCH_NAME becomes part of a file's name: use letters, digits, "_", "." or "-".`)
  const matrix = env.BENCH_MATRIX || 'full'
  if (matrix !== 'full' && matrix !== 'short')
    throw new Error(`BENCH_MATRIX is full or short, not "${matrix}".`)
  const { BENCH_PEER_JAEGER: jaeger, BENCH_PEER_VICTORIATRACES: victoriatraces } = env
  const set = [...Object.keys(DEFAULTS), 'BENCH_MATRIX', 'BENCH_ONLY', 'BENCH_NAME'].filter((key) => env[key])
  return {
    parts: partsOf(env.BENCH_ONLY || ''),
    calls,
    tableRows: number('BENCH_TABLE_ROWS'),
    predictions: number('BENCH_EVALUATION_PREDICTIONS'),
    seconds: number('BENCH_SECONDS'),
    shortMatrix: matrix === 'short',
    peers: { ...(jaeger && { jaeger }), ...(victoriatraces && { victoriatraces }) },
    name,
    command: [...set.map((key) => `${key}=${env[key]}`), 'make bench'].join(' '),
  }
}

function partsOf(only: string): readonly Part[] {
  if (only === '') return PARTS
  const named = only.split(',').map((text) => text.trim())
  const unknown = named.find((text) => !PARTS.some((part) => part === text))
  if (unknown !== undefined)
    throw new Error(`BENCH_ONLY names parts of ${PARTS.join(', ')}, by commas; "${unknown}" is none.`)
  return PARTS.filter((part) => named.includes(part))
}

function shortCount(count: number): string {
  if (count >= 1e6) return `${count / 1e6}M`
  return count >= 1e3 ? `${count / 1e3}k` : String(count)
}
