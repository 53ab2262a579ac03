/** `heddle users`, `members`, `teams`, `roles` and `invite`. Each loads its code when it is called. */
import type { Command } from 'commander'
import { type ClientOptions, clientCommand, clientTarget, number, repeated } from '../client-command.js'
import { type Shown, showing } from '../shown.js'
import { say } from '../subcommand.js'

type Work<Arguments extends unknown[]> = (
  to: Awaited<ReturnType<typeof clientTarget>>,
  ...given: Arguments
) => Promise<string>

const module = () => import('./people.js')

/** Adds the five. */
export function peopleCommands(heddle: Command): void {
  userCommands(heddle)
  memberCommands(heddle)
  teamCommands(heddle)
  roleCommands(heddle)
  inviteCommands(heddle)
}

/** Gives `command`, which has one argument, a list to show. */
function listing<Options extends ClientOptions>(
  command: Command,
  show: (to: Awaited<ReturnType<typeof clientTarget>>, given: string, options: Options) => Promise<Shown>,
): void {
  showing(command, async (given: string, options: Options) =>
    show(await clientTarget(options), given, options),
  )
}

/** Gives `command`, which has two arguments, something to do; what it says goes to standard error. */
function doing<Options extends ClientOptions>(command: Command, work: Work<[string, string, Options]>): void {
  command.action(async (first: string, second: string, options: Options) => {
    say(await work(await clientTarget(options), first, second, options))
  })
}

function userCommands(heddle: Command): void {
  const users = heddle
    .command('users')
    .description('list users, make service accounts, deactivate who leaves')
  showing(
    clientCommand(users, 'list', 'list the users that have roles in what you administer').option(
      '--query <text>',
      'only those whose name or address has it',
    ),
    async (options: ClientOptions & { query?: string }) =>
      (await module()).userList(await clientTarget(options), options.query),
  )
  doing<ClientOptions & { role?: string }>(
    clientCommand(
      users,
      'create-service <name> <scope>',
      'make a service account, which has keys only',
    ).option('--role <role>', 'its role over the scope'),
    async (to, name, scope, { role }) => (await module()).createService(to, name, scope, role),
  )
  for (const [verb, text] of [
    ['deactivate', 'deactivate a user: sessions and keys stop within 10 seconds'],
    ['activate', 'activate a user again'],
  ] as const)
    clientCommand(users, `${verb} <name>`, text).action(async (name: string, options: ClientOptions) => {
      await (await module()).activate(await clientTarget(options), name, verb === 'activate')
      say(`${verb}d`)
    })
  doing<ClientOptions & { deactivate?: boolean }>(
    clientCommand(
      users,
      'hand-over <name> <other>',
      'give what a user has to another: roles given by hand, and keys but for the personal ones',
    ).option('--deactivate', 'deactivate the first one afterwards'),
    async (to, name, other, { deactivate }) =>
      (await module()).handOver(to, name, other, deactivate ?? false),
  )
}

function memberCommands(heddle: Command): void {
  const members = heddle.command('members').description('list and change who has which role where')
  listing<ClientOptions & { query?: string }>(
    clientCommand(
      members,
      'list <scope>',
      'list who has roles over a scope: *, an entity or entity/project',
    ).option('--query <text>', 'only those whose name has it'),
    async (to, scope, { query }) => (await module()).memberList(to, scope, query),
  )
  doing<ClientOptions & { role: string }>(
    clientCommand(
      members,
      'set <scope> <who>',
      'give a user, or a team as team:ID, a role over a scope',
    ).requiredOption('--role <role>', 'owner, admin, member, annotator, viewer or a role of the entity'),
    async (to, scope, who, { role }) => (await module()).setMember(to, scope, who, role),
  )
  doing(
    clientCommand(members, 'remove <scope> <who>', 'take away the role that was given by hand'),
    async (to, scope, who) => (await module()).removeMember(to, scope, who),
  )
  clientCommand(
    members,
    'leave <scope>',
    'give up your own roles over a scope and your places in its teams, as far as they were given by hand',
  ).action(async (scope: string, options: ClientOptions) => {
    await (await module()).leave(await clientTarget(options), scope)
    say(`left ${scope}`)
  })
}

function teamCommands(heddle: Command): void {
  const teams = heddle.command('teams').description('make teams, and choose who is in them')
  showing(
    clientCommand(teams, 'list', 'list the teams of what you administer'),
    async (options: ClientOptions) => (await module()).teamList(await clientTarget(options)),
  )
  doing(
    clientCommand(teams, 'create <entity> <name>', 'make a team of an entity, or of * for all'),
    async (to, entity, name) => (await module()).createTeam(to, entity, name),
  )
  doing(clientCommand(teams, 'rename <team-id> <name>', 'rename a team'), async (to, teamId, name) =>
    (await module()).renameTeam(to, teamId, name),
  )
  for (const [verb, text] of [
    ['add', 'put a user into a team'],
    ['remove', 'take a user out of a team'],
  ] as const)
    doing(clientCommand(teams, `${verb} <team-id> <name>`, text), async (to, teamId, name) =>
      (await module()).changeTeam(to, teamId, name, verb),
    )
  clientCommand(teams, 'delete <team-id>', 'delete a team with its roles').action(
    async (teamId: string, options: ClientOptions) => {
      await (await module()).deleteTeam(await clientTarget(options), teamId)
      say('deleted')
    },
  )
}

function roleCommands(heddle: Command): void {
  const roles = heddle.command('roles').description('list roles, and make roles of an entity')
  showing(clientCommand(roles, 'list', 'list the roles that may be given'), async (options: ClientOptions) =>
    (await module()).roleList(await clientTarget(options)),
  )
  showing(clientCommand(roles, 'areas', 'list what rights may be for'), async (options: ClientOptions) =>
    (await module()).areaList(await clientTarget(options)),
  )
  doing<ClientOptions & { permit: string[]; title?: string }>(
    clientCommand(roles, 'save <entity> <name>', 'make a role of an entity, or of * for all, or change it')
      .requiredOption(
        '--permit <area:right>',
        'what it permits, such as "Annotation queues:write"; *: all areas; may be repeated',
        repeated,
      )
      .option('--title <text>', 'what it is for'),
    async (to, entity, name, { permit, title }) => (await module()).saveRole(to, entity, name, permit, title),
  )
  doing(
    clientCommand(roles, 'delete <entity> <name>', 'delete a role of an entity'),
    async (to, entity, name) => (await module()).deleteRole(to, entity, name),
  )
}

function inviteCommands(heddle: Command): void {
  const invite = heddle.command('invite').description('invite people by links')
  doing<ClientOptions & { email?: string; days: number }>(
    clientCommand(
      invite,
      'create <scope> <role>',
      'make a link that gives a role over a scope, and print it once',
    )
      .option('--email <address>', 'for this address only; default: whoever has the link')
      .option('--days <number>', 'how long it works', number, 7),
    async (to, scope, role, { email, days }) => {
      const { link, until } = await (await module()).invite(to, { scope, role, email, days })
      process.stdout.write(`${link}\n`)
      return `works once, until ${until}`
    },
  )
  showing(clientCommand(invite, 'list', 'list the open invitations'), async (options: ClientOptions) =>
    (await module()).invitationList(await clientTarget(options)),
  )
  clientCommand(invite, 'revoke <id>', 'revoke an invitation').action(
    async (id: string, options: ClientOptions) => {
      await (await module()).revokeInvitation(await clientTarget(options), id)
      say('revoked')
    },
  )
}
