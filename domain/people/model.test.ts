/** After any changes in any order, what users may do is what a plain model says: lists, searched from the start. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { HeddleError } from '../../platform/errors/error.js'
import { Principal, type Right } from '../../platform/http/principal.js'
import { clockFence } from '../../platform/leases/lease.js'
import { LocalLeases } from '../../platform/leases/local.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'
import { deleteRole, saveRole } from './custom-roles.js'
import { Directory } from './directory.js'
import { membershipsOf, putMemberships } from './membership-table.js'
import { People } from './people.js'
import { BUILT_IN_ROLES, type Permission } from './roles.js'
import { type FullTeam, Teams } from './teams.js'
import { teamSubject, type User, userSubject } from './user.js'

let engine: Awaited<ReturnType<typeof sharedTestEngine>>
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('people_model')
}, 120_000)
afterAll(() => engine?.stop())

const SCOPES = ['*', 'acme', 'acme/one', 'globex/one']
const ROLES = ['owner', 'admin', 'member', 'annotator', 'viewer', 'critic', undefined]
const AREAS = ['Calls', 'Feedback', 'Tables']
const RIGHTS: Right[] = ['read', 'write', 'admin']
const CRITICS: Permission[][] = [
  [{ area: 'Feedback', right: 'write' }],
  [
    { area: 'Tables', right: 'admin' },
    { area: '*', right: 'read' },
  ],
]

/** What one of two users and two teams is, by position. */
type Step =
  | { do: 'set'; who: number; scope: string; role: string | undefined }
  | { do: 'source'; who: number; source: string; roles: { scope: string; role: string }[] }
  | { do: 'team'; who: number; team: number; isIn: boolean }
  | { do: 'role'; critic: number | undefined }
  | { do: 'active'; who: number; active: boolean }

const who = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('set' as const),
    who: fc.nat(3),
    scope: fc.constantFrom(...SCOPES),
    role: fc.constantFrom(...ROLES),
  }),
  fc.record({
    do: fc.constant('source' as const),
    who,
    source: fc.constantFrom('oidc:a', 'oidc:b'),
    roles: fc.array(
      fc.record({
        scope: fc.constantFrom(...SCOPES),
        role: fc.constantFrom('member', 'viewer', 'critic', 'owner'),
      }),
      { maxLength: 2 },
    ),
  }),
  fc.record({ do: fc.constant('team' as const), who, team: fc.nat(1), isIn: fc.boolean() }),
  fc.record({ do: fc.constant('role' as const), critic: fc.constantFrom(0, 1, undefined) }),
  fc.record({ do: fc.constant('active' as const), who, active: fc.boolean() }),
)

class Model {
  given: { who: number; scope: string; source: string; role: string }[] = []
  inTeam: { who: number; team: number }[] = []
  critic: readonly Permission[] | undefined
  inactive = new Set<number>()

  /** All that a user has: its own, and that of its teams, which come after the users. */
  held(user: number) {
    const mine = [user, ...this.inTeam.filter((one) => one.who === user).map(({ team }) => 2 + team)]
    return this.given.filter((one) => mine.includes(one.who))
  }

  may(user: number, area: string, right: Right, scope: string): boolean {
    if (this.inactive.has(user)) return false
    return this.held(user).some(({ scope: of, role }) => {
      const isIn = of === '*' || of === scope || scope.startsWith(`${of}/`)
      const permissions =
        role === 'critic' ? this.critic : BUILT_IN_ROLES[role as keyof typeof BUILT_IN_ROLES]
      return (
        isIn &&
        (permissions ?? []).some(
          (one) =>
            (one.area === '*' || one.area === area) && RIGHTS.indexOf(one.right) >= RIGHTS.indexOf(right),
        )
      )
    })
  }

  /** The scopes whose owner was there, and would be no more, nor one of what they lie in. */
  orphans(change: (model: Model) => void): string[] {
    const after = this.copy()
    change(after)
    const owns = (model: Model, scope: string, exactly: boolean) =>
      [0, 1].some(
        (user) =>
          !model.inactive.has(user) &&
          model
            .held(user)
            .some(
              (one) =>
                one.role === 'owner' &&
                (exactly
                  ? one.scope === scope
                  : one.scope === '*' || one.scope === scope || scope.startsWith(`${one.scope}/`)),
            ),
      )
    return SCOPES.filter((scope) => owns(this, scope, true) && !owns(after, scope, false))
  }

  copy(): Model {
    const copy = new Model()
    Object.assign(copy, {
      given: [...this.given],
      inTeam: [...this.inTeam],
      critic: this.critic,
      inactive: new Set(this.inactive),
    })
    return copy
  }
}

let round = 0

/** Takes all roles away, those of the last owner, too. */
async function takeAll(subjects: readonly string[]): Promise<void> {
  const rows = await membershipsOf(store, subjects)
  await putMemberships(
    store,
    rows.map((row) => ({ ...row, roles: [] })),
    clockFence(),
  )
}

it('is so for users, teams, roles and sources', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const people = new People(store)
      const directory = new Directory(store, new LocalLeases(), people)
      const teams = new Teams(directory)
      const name = `r${++round}-`
      const users: User[] = []
      const groups: FullTeam[] = []
      for (const one of ['a', 'b']) {
        const asked = { username: name + one, email: '', name: '', source: '' }
        users.push((await directory.findOrCreateUser(asked)).user)
        groups.push(await teams.create({ entity: '*', name: name + one, source: '', externalId: '' }))
      }
      const root = new Principal('root', 'root', [{ scope: '*', right: 'admin' }])
      const model = new Model()
      for (const one of steps) await take(one)
      await check()
      // The next round begins without owners and roles.
      await takeAll(users.map(({ userId }) => userSubject(userId)))
      await takeAll(groups.map(({ teamId }) => teamSubject(teamId)))
      if (model.critic) await deleteRole(directory, { entity: '*', name: 'critic' }, root)

      /** Does `work`; the model changes unless somebody would be the last owner. */
      async function both(work: () => Promise<unknown>, change: (model: Model) => void) {
        const orphans = model.orphans(change)
        const refused = await work().then(
          () => undefined,
          (error: unknown) => (error instanceof HeddleError ? error.code : error),
        )
        expect(refused).toBe(orphans.length > 0 ? 'LAST_OWNER' : undefined)
        if (orphans.length === 0) change(model)
      }

      async function take(one: Step): Promise<void> {
        if (one.do === 'set') {
          const { scope, role } = one
          const subject =
            one.who < 2 ? userSubject(users[one.who]!.userId) : teamSubject(groups[one.who - 2]!.teamId)
          if (role === 'critic' && !model.critic) return
          await both(
            () => directory.setRole({ subject, scope }, role),
            (to) => {
              to.given = to.given.filter(
                (had) => !(had.who === one.who && had.scope === scope && had.source === ''),
              )
              if (role) to.given.push({ who: one.who, scope, source: '', role })
            },
          )
        } else if (one.do === 'source') {
          const { kept } = await directory.setMemberships(users[one.who]!.userId, one.source, one.roles)
          const before = model.given.filter((had) => had.who === one.who && had.source === one.source)
          model.given = model.given.filter((had) => !before.includes(had))
          model.given.push(
            ...one.roles.map((role) => ({ who: one.who, source: one.source, ...role })),
            ...kept.map((scope) => ({ who: one.who, source: one.source, scope, role: 'owner' })),
          )
          // A role stays only where it was.
          for (const scope of kept)
            expect(before).toContainEqual(expect.objectContaining({ scope, role: 'owner' }))
        } else if (one.do === 'team') {
          const change = one.isIn ? { add: [users[one.who]!.userId] } : { remove: [users[one.who]!.userId] }
          await both(
            () => teams.setMembers(groups[one.team]!.teamId, change),
            (to) => {
              to.inTeam = to.inTeam.filter((had) => !(had.who === one.who && had.team === one.team))
              if (one.isIn) to.inTeam.push({ who: one.who, team: one.team })
            },
          )
        } else if (one.do === 'role') {
          const role = { entity: '*', name: 'critic', title: '' }
          const [known] = (await directory.roleCatalog()).custom
          if (one.critic === undefined && known) await deleteRole(directory, role, root)
          else if (one.critic !== undefined)
            await saveRole(
              directory,
              { ...role, permissions: CRITICS[one.critic]!, version: known?.version ?? 0 },
              root,
            )
          model.critic = one.critic === undefined ? undefined : CRITICS[one.critic]
        } else
          await both(
            () => directory.updateUser(users[one.who]!.userId, { active: one.active }),
            (to) => {
              if (one.active) to.inactive.delete(one.who)
              else to.inactive.add(one.who)
            },
          )
      }

      async function check(): Promise<void> {
        for (const [i, { userId }] of users.entries()) {
          const principal = await Promise.resolve()
            .then(() => people.principalOf(userId))
            .catch(() => new Principal('', '', []))
          for (const area of AREAS)
            for (const scope of ['acme/one', 'acme/two', 'globex/one', '*'])
              for (const right of RIGHTS) {
                const asked = [userId, area, scope, right]
                const is = principal.within(area).may(right, scope)
                expect([...asked, is]).toEqual([...asked, model.may(i, area, right, scope)])
              }
        }
      }
    }),
    { numRuns: 12 },
  )
}, 120_000)
