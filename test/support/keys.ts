/** API keys made with the command line, as an operator would. */
import type { Endpoint } from './endpoint.js'

/** A user's name has no slash. */
const userOf = (scope: string) => `user-${scope.replaceAll('/', '-')}`

/** Makes a key for a user of its own with one grant and returns it. */
export async function createKey(
  server: Endpoint,
  scope: string,
  right: 'read' | 'write' | 'admin',
): Promise<string> {
  const printed = await server.cli('keys', 'create', '--user', userOf(scope), '--grant', `${scope}:${right}`)
  return printed.trim()
}

/** The ids of the live keys of the user that {@link createKey} makes for a scope, newest last. */
export async function keyIds(server: Endpoint, scope: string): Promise<string[]> {
  const [, ...rows] = (await server.cli('keys', 'list')).trimEnd().split('\n')
  const cells = rows.map((row) => row.split(/\s{2,}/))
  return cells
    .filter(([, user, , , , state]) => user === userOf(scope) && state !== 'revoked')
    .map(([id = '']) => id)
}
