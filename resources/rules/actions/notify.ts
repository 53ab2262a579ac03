import type { RuleSubject } from '../../../contract/rules.js'
import { errors } from '../../../platform/errors/catalog.js'
import { HeddleError } from '../../../platform/errors/error.js'
import type { Notice } from '../../notifications/notice.js'
import type { Sender } from '../../notifications/sender.js'
import { fillPlaces, unknownPlace } from '../../notifications/template.js'
import type { ActionRun } from '../runs.js'
import type { Perform } from './action.js'

const NAMES = ['rule', 'project', 'what', 'name', 'detail', 'id', 'url'] as const

/** @param urlOf of the page of a project's rules; empty: not known */
export function notify(sender: Sender, urlOf: (project: string) => string): Perform<'notify'> {
  return async ({ channel, message }, [run], { requester: { project } }) => {
    const notice = noticeOf(run!, project, urlOf(project), message)
    const { delivered, problem, isFinal } = await sender.send(project, channel, notice)
    if (delivered) return [{ result: `sent by ${channel}` }]
    if (isFinal) return [{ problem }]
    throw new HeddleError('UPSTREAM', 502, problem)
  }
}

/** @throws 400 if it names what is not known */
export function checkMessage(message: string): void {
  const unknown = unknownPlace(message, NAMES)
  if (unknown !== undefined)
    throw errors.invalidRule(`its message names {{${unknown}}}; there are ${NAMES.join(', ')}`)
}

function noticeOf(run: ActionRun, project: string, url: string, message: string | null): Notice {
  const { id, matchedAt: at, rule, subject } = run
  const what = whatOf(subject)
  const { name, detail } = subject
  const values = { rule, project, what, name, detail: detail ?? '', id: subject.id, url }
  const text = message === null ? `${rule}: ${what}.` : fillPlaces(message, values)
  return { id, at, text, url, project, rule: { rule, subject } }
}

/** What happened, in a few words. */
function whatOf({ type, name, id, detail }: RuleSubject): string {
  switch (type) {
    case 'call':
      return `call ${id} of ${name}${detail === null ? '' : ` has ${detail}`}`
    case 'version':
      return detail === null ? `${name} has the version ${id}` : `${detail} is now ${name}:${id}`
    case 'evaluation_run':
      return `the run ${id} of ${name} has ended`
    case 'training_job':
      return `the training of ${name} is ${detail}`
  }
}
