/** Rules, put together: their routes, and the watch that applies them. */
import { service } from '../../platform/fairness/caller.js'
import type { Auditor } from '../../platform/http/audit.js'
import type { Bound } from '../../platform/http/request.js'
import type { WatchOptions } from '../../platform/leases/leased-work.js'
import { NO_REDIS } from '../../platform/redis/connection.js'
import type { EvaluationParts } from '../evaluation/parts.js'
import type { ServerRuns } from '../evaluation/server/runs.js'
import type { Notifications } from '../notifications/notifications.js'
import type { Actions } from './actions/action.js'
import { addToDataset, addToQueue } from './actions/add.js'
import { setAlias } from './actions/alias.js'
import { evaluate } from './actions/evaluate.js'
import { notify } from './actions/notify.js'
import { train } from './actions/train.js'
import { knownRules } from './known.js'
import { ruleRoutes } from './routes.js'
import { Subjects } from './subjects.js'
import { RuleWatch } from './watch.js'

export interface RulesOptions {
  parts: EvaluationParts
  runs: ServerRuns
  notifications: Notifications
  /** of the training interface, read when it is needed */
  trainingUrl: () => string | undefined
  /** undefined: there is no audit log */
  auditor: Auditor | undefined
  /** applies rules; undefined: not here */
  watch: Omit<WatchOptions, 'store'> | undefined
}

interface Rules {
  routes: Bound[]
  start(): void
  stop(): Promise<void>
}

export function rules({
  parts,
  runs,
  notifications,
  trainingUrl,
  auditor,
  watch: watching,
}: RulesOptions): Rules {
  const { store, register } = parts
  const known = knownRules(parts)
  const actions: Actions = {
    add_to_dataset: addToDataset(parts),
    add_to_queue: addToQueue(parts),
    evaluate: evaluate(parts, runs),
    train: train(store, trainingUrl, auditor),
    set_alias: setAlias(parts, auditor),
    notify: notify(notifications.sender, (project) => notifications.pageOf(project, 'rules')),
  }
  const background = store.as(service('rules')).inBackground()
  const watch =
    watching &&
    new RuleWatch({
      ...{ ...watching, actions, rules: known, store: background },
      subjects: new Subjects({ ...parts, store: background }),
      register,
    })
  return {
    routes: ruleRoutes({
      parts,
      rules: known,
      channels: notifications.channels,
      whyNobody: async () => (watch === undefined ? NO_REDIS : watch.whyNobody()),
    }),
    start: () => watch?.start(),
    stop: async () => watch?.stop(),
  }
}
