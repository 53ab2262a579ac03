/** How commands speak to a running Heddle: its address, a key, and errors as sentences. Knows no route. */
import { CommandError } from './command.js'
import { DataFolder } from './data-folder.js'
import { reachable } from './serve.js'

export interface Target {
  url: string
  key: string
}

/** Where a running Heddle is, and a key for it: as told, else the ones of `heddle up` on this machine. */
export function target(
  told: { url?: string; key?: string },
  config: { host: string; port: number; dataDir: string; devApiKey: string | undefined },
): Target {
  const key = told.key ?? config.devApiKey ?? new DataFolder(config.dataDir).readDevKey()
  if (key === undefined) {
    throw new CommandError('no key: start `heddle up` in this folder first, or give one with --key', 2)
  }
  return { url: told.url?.replace(/\/+$/, '') ?? `http://${reachable(config.host)}:${config.port}`, key }
}

/** POSTs JSON and gives back the answer if it is a success; everything else is one sentence. */
export async function post(to: Target, path: string, body: unknown): Promise<Response> {
  const authorization = `Bearer ${to.key}`
  let answer: Response
  try {
    answer = await fetch(to.url + path, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/jsonl, application/json',
      },
      body: JSON.stringify(body),
    })
  } catch (error) {
    throw new CommandError(`nothing answers at ${to.url} (${reasonOf(error)}); is \`heddle up\` running?`)
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
    const body = JSON.parse(text) as { reason?: string; detail?: { msg: string; loc: string[] }[] }
    const [violation] = body.detail ?? []
    return body.reason ?? (violation ? `${violation.loc.join('.')}: ${violation.msg}` : text)
  } catch {
    return text.slice(0, 200)
  }
}
