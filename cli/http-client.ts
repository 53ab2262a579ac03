/** The HTTP client of commands: address, key, and errors as sentences. Knows no route. */
import { CommandError } from './command.js'
import { reachable } from './serve/serve.js'
import { DataFolder } from './up/data-folder.js'

export interface Target {
  url: string
  key: string
}

interface KeySource {
  dataDir: string
  devApiKey: string | undefined
}

/** The given key, else that of `heddle up` on this machine. */
export function keyFor(told: { key?: string }, { dataDir, devApiKey }: KeySource): string {
  const key = told.key ?? devApiKey ?? new DataFolder(dataDir).readDevKey()
  if (key !== undefined) return key
  throw new CommandError('no API key: start `heddle up` in this folder first, or use --key', 2)
}

/** Address and key of a running Heddle: as given, else those of `heddle up` on this machine. */
export function target(
  told: { url?: string; key?: string },
  config: { host: string; port: number } & KeySource,
): Target {
  const url = told.url?.replace(/\/+$/, '') ?? `http://${reachable(config.host)}:${config.port}`
  return { url, key: keyFor(told, config) }
}

/** POSTs JSON and returns a successful answer. @throws CommandError with one sentence otherwise */
export function post(to: Target, path: string, body: unknown): Promise<Response> {
  return ask(to, 'POST', path, body)
}

/** Sends a request, with JSON if there is a body, and returns a successful answer. @throws CommandError */
export async function ask(
  to: Target,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(to.url + path, {
      method,
      headers: {
        authorization: `Bearer ${to.key}`,
        'content-type': 'application/json',
        accept: 'application/jsonl, application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CommandError(`no answer from ${to.url} (${reasonOf(error)}); is \`heddle up\` running?`)
  }
  if (answer.ok) return answer
  const text = await answer.text()
  throw new CommandError(`${to.url}${path} answered ${answer.status}: ${reasonIn(text)}`)
}

function reasonOf(error: unknown): string {
  const { cause } = error as Error
  return cause instanceof Error ? cause.message : (error as Error).message
}

function reasonIn(text: string): string {
  try {
    const body = JSON.parse(text) as {
      reason?: string
      detail?: { msg: string; loc: string[] }[]
      error?: { message?: string }
    }
    const [violation] = body.detail ?? []
    if (!violation && body.error?.message !== undefined) return body.error.message
    return body.reason ?? (violation ? `${violation.loc.join('.')}: ${violation.msg}` : text)
  } catch {
    return text.slice(0, 200)
  }
}
