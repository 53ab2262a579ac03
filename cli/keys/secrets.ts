/** `heddle secrets`: sets, lists and deletes the secrets of model providers. Values are never shown. */
import { listSecrets } from '../../contract/keys.js'
import { Cipher } from '../../domain/secrets/cipher.js'
import { Secrets } from '../../domain/secrets/secrets.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import type { CommandEvent } from '../audited.js'
import { CommandError } from '../command.js'
import { type AnswerTo, answerOf } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { list, type Shown } from '../shown.js'

const MOST_BYTES = 64 * 1024

/** The secrets in `store`, encrypted with the operator's key if there is one. */
export function secretsOf(
  store: Store,
  { secretsKey }: Pick<Config<typeof processes.secrets>, 'secretsKey'>,
): Secrets {
  return new Secrets(store, secretsKey === undefined ? undefined : new Cipher(secretsKey))
}

/**
 * Reads the value from `input`, without the final line break. Not an argument, since every process of a machine can see
 * arguments.
 * @throws CommandError if it is empty, too long or not UTF-8
 */
export async function readValue(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of input) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new CommandError(`a secret may have at most ${MOST_BYTES} bytes`, 2)
    chunks.push(chunk)
  }
  const value = decoded(Buffer.concat(chunks)).replace(/\r?\n$/, '')
  if (value === '') throw new CommandError('no value on standard input; pipe it in', 2)
  return value
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError('a secret must be UTF-8 text', 2)
  }
}

/** What the audit log says of a change of a secret. */
export function secretDeed(action: string, scope: string, name: string): CommandEvent {
  return { action, category: 'secrets', scope, target: { scope, name } }
}

/** Deletes a secret; reports if there is none. */
export async function removeSecret(secrets: Secrets, scope: string, name: string): Promise<void> {
  if (await secrets.remove(scope, name)) return
  throw new CommandError('secret not found; `heddle secrets list` shows scopes and names')
}

const HEADER = ['SCOPE', 'NAME', 'FOR', 'SET']
const cells = ({ scope, name, origin, created_at }: AnswerTo<typeof listSecrets>['secrets'][number]) => [
  scope,
  name,
  origin,
  created_at,
]

/** The names of those of a server, in what the key of `to` administers. */
export async function secretsAt(to: Target): Promise<Shown> {
  const { secrets } = await answerOf(to, listSecrets)
  return list(secrets, HEADER, cells)
}

/** The secrets, without their values. */
export async function secretList(secrets: Secrets): Promise<Shown> {
  return list(await secrets.list(), HEADER, cells)
}
