/**
 * Parses the address of a Redis: one server, the master behind sentinels, or a cluster. Pure; connects to nothing.
 *
 * `redis://host:6379/0`, `redis-sentinel://:password@one:26379,two:26379/name/0`, `redis-cluster://one:6379,two:6379`;
 * `rediss` instead of `redis` encrypts the connections.
 */

/** A first check of an address. */
export const REDIS_ADDRESS = /^rediss?(-sentinel|-cluster)?:\/\/\S+$/

const SENTINEL_PORT = 26379
const PORT = 6379

export interface RedisHost {
  host: string
  port: number
}

export type RedisAddress = {
  username: string | undefined
  password: string | undefined
  tls: boolean
} & (
  | { kind: 'server'; url: string }
  | { kind: 'sentinel'; hosts: RedisHost[]; name: string; db: number }
  | { kind: 'cluster'; hosts: RedisHost[] }
)

/** @throws Error that describes a valid address */
export function parseRedisUrl(url: string): RedisAddress {
  const [, scheme, kind, credentials, hostList = '', path = ''] =
    /^(rediss?)(?:-(sentinel|cluster))?:\/\/(?:([^@/]*)@)?([^@/]+)(?:\/(.*))?$/.exec(url) ?? []
  if (scheme === undefined) throw new Error('REDIS_URL must be an address such as redis://127.0.0.1:6379')
  const [username, password] = split(credentials)
  const common = { username, password, tls: scheme === 'rediss' }
  if (kind === undefined) return { kind: 'server', url, ...common }
  const hosts = hostList.split(',').map((one) => hostOf(one, kind === 'sentinel' ? SENTINEL_PORT : PORT))
  if (kind === 'cluster') {
    if (path !== '' && path !== '0')
      throw new Error('a Redis cluster has one database: leave the path of REDIS_URL empty')
    return { kind, hosts, ...common }
  }
  const [name = '', db = '0'] = path.split('/')
  if (name === '' || !/^\d{1,4}$/.test(db))
    throw new Error('REDIS_URL must name the master: redis-sentinel://one:26379,two:26379/mymaster')
  return { kind: 'sentinel', hosts, name, db: Number(db), ...common }
}

function split(credentials: string | undefined): [string | undefined, string | undefined] {
  if (credentials === undefined || credentials === '') return [undefined, undefined]
  const [user = '', ...rest] = credentials.split(':')
  const decoded = (text: string) => (text === '' ? undefined : decodeURIComponent(text))
  return [decoded(user), decoded(rest.join(':'))]
}

function hostOf(text: string, fallback: number): RedisHost {
  const [, inBrackets, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  const host = inBrackets ?? plain
  if (host === undefined) throw new Error(`REDIS_URL: ${JSON.stringify(text)} is no host or host:port`)
  return { host, port: port === undefined ? fallback : Number(port) }
}
