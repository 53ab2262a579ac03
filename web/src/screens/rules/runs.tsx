/** What rules did, the newest first: what set them off, and how each action went. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RuleActionRun, type RuleRun, type RunState, retryRule, ruleRunsQuery } from '../../api/rules'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'
import { Result } from './result'
import type { RulesSearch } from './search'
import { STATES } from './shown'
import { Subject } from './subject'

interface Props {
  project: string
  /** names of those that there are */
  rules: readonly string[]
  search: RulesSearch
  go: (search: RulesSearch) => void
}

export function Runs({ project, rules, search: { rule, state }, go }: Props) {
  const client = useQueryClient()
  const query = useQuery(ruleRunsQuery(project, rule, state))
  const retry = useMutation({
    mutationFn: (of: { rule: string; run: string | null }) => retryRule(project, of.rule, of.run),
    onSuccess: () => client.invalidateQueries({ queryKey: ['rules', project] }),
  })
  // What was deleted did something, too.
  const names = [...new Set([...rules, ...(rule === undefined ? [] : [rule])])]
  const isFiltered = rule !== undefined || state !== undefined
  return (
    <>
      <div className="row alerts-bar">
        <select
          className="select"
          aria-label="Rule"
          value={rule ?? ''}
          onChange={({ target }) => go({ tab: 'runs', rule: target.value || undefined, state })}
        >
          <option value="">all rules</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <select
          className="select"
          aria-label="State"
          value={state ?? ''}
          onChange={({ target }) =>
            go({ tab: 'runs', rule, state: (target.value as RunState | '') || undefined })
          }
        >
          <option value="">any state</option>
          {Object.entries(STATES).map(([one, title]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
        {rule !== undefined && query.data?.some(({ actions }) => actions.some(hasFailed)) && (
          <Button disabled={retry.isPending} onClick={() => retry.mutate({ rule, run: null })}>
            Retry all that failed
          </Button>
        )}
        {retry.error && (
          <span className="bad" role="alert">
            {retry.error.message}
          </span>
        )}
      </div>
      <TableOf
        label="Runs"
        query={query}
        rows={query.data}
        keyOf={({ id }) => id}
        columns={[
          timeColumn<RuleRun>('When', ({ at }) => at),
          { title: 'Rule', className: 'rules-name', cell: ({ rule: name }) => name },
          { title: 'Set off by', cell: ({ subject }) => <Subject project={project} of={subject} /> },
          {
            title: 'What it did',
            className: 'rules-did',
            cell: ({ actions }) =>
              actions.map((action, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an action is its place
                <Result key={i} project={project} of={action} />
              )),
          },
          {
            title: <span className="unseen">Retry</span>,
            isNumber: true,
            cell: ({ id, rule: name, actions }) =>
              actions.some(hasFailed) && (
                <Button
                  aria-label={`Retry ${name}`}
                  disabled={retry.isPending}
                  onClick={() => retry.mutate({ rule: name, run: id })}
                >
                  Retry
                </Button>
              ),
          },
        ]}
        empty={
          <Empty title={isFiltered ? 'Nothing of this kind was done' : 'No rule did anything yet'}>
            <p>Each time that a rule is set off, a line here says what it did.</p>
          </Empty>
        }
      />
    </>
  )
}

const hasFailed = ({ state }: RuleActionRun): boolean => state === 'failed'
