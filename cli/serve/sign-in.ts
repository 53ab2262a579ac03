/** How people sign in without a key, from the operator's file and environment. */
import { readFileSync } from 'node:fs'
import { Cipher } from '../../domain/secrets/cipher.js'
import { clientSecretOf, readSignIn, SignInFileError } from '../../domain/sign-in/settings.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import type { SignInOptions } from '../../resources/sign-in/sign-in.js'
import { CommandError } from '../command.js'
import type { Parts } from './service.js'

type SignInConfig = Pick<
  Config<typeof processes.query>,
  'signIn' | 'publicUrl' | 'smtpUrl' | 'secretsKey' | 'allowPrivateAddresses'
>

/** @throws CommandError if the file can't be used */
export function signInOf(
  config: SignInConfig,
  { log, metrics }: Pick<Parts, 'log' | 'metrics'>,
): SignInOptions | undefined {
  const { signIn: file, publicUrl, smtpUrl, secretsKey, allowPrivateAddresses: allowPrivate = [] } = config
  if (file === undefined) return undefined
  const settings = used(file, () => readSignIn(read(file)))
  const secrets = settings.providers.map(
    (one) => [one.name, used(file, () => clientSecretOf(one, process.env, read))] as const,
  )
  if (settings.email !== undefined && (smtpUrl === undefined || publicUrl === undefined))
    throw new CommandError(
      `${file} says that links are sent by mail: that needs HEDDLE_SMTP_URL and HEDDLE_PUBLIC_URL`,
      2,
    )
  if (settings.providers.length > 0 && secretsKey === undefined)
    log.warn(
      'without HEDDLE_SECRETS_KEY no tokens of sign-in providers are kept, so groups are read at sign-in alone',
    )
  return {
    ...{ settings, allowPrivate, log, metrics },
    clientSecrets: new Map(
      secrets.flatMap(([name, secret]) => (secret === undefined ? [] : [[name, secret]])),
    ),
    cipher: secretsKey === undefined ? undefined : new Cipher(secretsKey),
    publicUrl: publicUrl?.replace(/\/$/, ''),
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SignInFileError(`${file} can't be read: ${(error as Error).message}`)
  }
}

function used<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof SignInFileError)
      throw new CommandError(`HEDDLE_SIGN_IN (${file}): ${error.message}`, 2)
    throw error
  }
}
