/** `heddle users`, `members`, `teams`, `roles` and `invite`. */
import type { Command } from 'commander'
import { clientGroup, number, repeated } from '../client-command.js'

/** Adds the five. */
export function peopleCommands(heddle: Command): void {
  const group = (name: string, text: string) =>
    clientGroup(heddle.command(name).description(text), () => import('./people.js'))

  const users = group('users', 'list users, make service accounts, deactivate who leaves')
  users.show('list', 'list the users that have roles in what you administer', 'userList', (command) =>
    command.option('--query <text>', 'only those whose name or address has it'),
  )
  users.run(
    'create-service <name> <scope>',
    'make a service account, which has keys only',
    'createService',
    (command) => command.option('--role <role>', 'its role over the scope'),
  )
  users.run(
    'deactivate <name>',
    'deactivate a user: sessions and keys stop within 10 seconds',
    'deactivateUser',
  )
  users.run('activate <name>', 'activate a user again', 'activateUser')
  users.run(
    'hand-over <name> <other>',
    'give what a user has to another: roles given by hand, and keys but for the personal ones',
    'handOver',
    (command) => command.option('--deactivate', 'deactivate the first one afterwards'),
  )

  const members = group('members', 'list and change who has which role where')
  members.show(
    'list <scope>',
    'list who has roles over a scope: *, an entity or entity/project',
    'memberList',
    (command) => command.option('--query <text>', 'only those whose name has it'),
  )
  members.run(
    'set <scope> <who>',
    'give a user, or a team as team:ID, a role over a scope',
    'setMember',
    (command) =>
      command.requiredOption(
        '--role <role>',
        'owner, admin, member, annotator, viewer or a role of the entity',
      ),
  )
  members.run('remove <scope> <who>', 'take away the role that was given by hand', 'removeMember')
  members.run(
    'leave <scope>',
    'give up your own roles over a scope and your places in its teams, as far as they were given by hand',
    'leave',
  )

  const teams = group('teams', 'make teams, and choose who is in them')
  teams.show('list', 'list the teams of what you administer', 'teamList')
  teams.run('create <entity> <name>', 'make a team of an entity, or of * for all', 'createTeam')
  teams.run('rename <team-id> <name>', 'rename a team', 'renameTeam')
  teams.run('add <team-id> <name>', 'put a user into a team', 'addToTeam')
  teams.run('remove <team-id> <name>', 'take a user out of a team', 'removeFromTeam')
  teams.run('delete <team-id>', 'delete a team with its roles', 'deleteTeam')

  const roles = group('roles', 'list roles, and make roles of an entity')
  roles.show('list', 'list the roles that may be given', 'roleList')
  roles.show('areas', 'list what rights may be for', 'areaList')
  roles.run(
    'save <entity> <name>',
    'make a role of an entity, or of * for all, or change it',
    'saveRole',
    (command) =>
      command
        .requiredOption(
          '--permit <area:right>',
          'what it permits, such as "Annotation queues:write"; *: all areas; may be repeated',
          repeated,
        )
        .option('--title <text>', 'what it is for'),
  )
  roles.run('delete <entity> <name>', 'delete a role of an entity', 'deleteRole')

  const invite = group('invite', 'invite people by links')
  invite.run(
    'create <scope> <role>',
    'make a link that gives a role over a scope, and print it once',
    'invite',
    (command) =>
      command
        .option('--email <address>', 'for this address only; default: whoever has the link')
        .option('--days <number>', 'how long it works', number, 7),
  )
  invite.show('list', 'list the open invitations', 'invitationList')
  invite.run('revoke <id>', 'revoke an invitation', 'revokeInvitation')
}
