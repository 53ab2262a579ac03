/** What set off a rule, as a link to it. */
import { Link } from '@tanstack/react-router'
import { nameOf } from '../../api/calls'
import type { RuleSubject } from '../../api/rules'
import { callPath, weavePath } from '../../app/address'

const THINGS: Readonly<Record<RuleSubject['type'], string>> = {
  ...{ call: 'call', version: 'version', evaluation_run: 'run', training_job: 'training job' },
}

export function Subject({ project, of }: { project: string; of: RuleSubject }) {
  const { type, id, name, detail } = of
  const title = type === 'call' ? nameOf({ op_name: name, display_name: null }) : name
  return (
    <>
      <span className="muted">{THINGS[type]} </span>
      <Link {...addressOf(project, of)} title={id}>
        {title || id}
      </Link>
      {detail !== null && detail !== '' && <span className="rules-detail"> {detail}</span>}
    </>
  )
}

function addressOf(project: string, { type, id, name }: RuleSubject): { to: string; search?: object } {
  switch (type) {
    case 'call':
      return { to: callPath(project, id) }
    case 'version':
      return { to: weavePath(project, 'objects', name, 'versions', id) }
    case 'evaluation_run':
      return runAddress(project, id)
    case 'training_job':
      return jobAddress(project, id)
  }
}

/** Of a run of an evaluation. */
export const runAddress = (project: string, run: string) => ({
  to: weavePath(project, 'evaluations', 'compare'),
  search: { runs: run },
})

export const jobAddress = (project: string, job: string) => ({
  to: weavePath(project, 'training'),
  search: { jobs: job },
})
