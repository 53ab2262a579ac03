/** The rules of a project: what each does and did; turning one off and on, and deleting it. */
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { activateRule, deleteRule, type Rule } from '../../api/rules'
import { useShortcuts } from '../../app/keys'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { count, counted } from '../../ui/format'
import { Menu, MenuItem } from '../../ui/menu'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'
import { FIRST_EXAMPLE } from './draft'
import { savedOf } from './saved'
import type { RulesSearch } from './search'
import { type Said, sentenceOf } from './shown'

interface Props {
  project: string
  query: UseQueryResult<Rule[]>
  go: (search: RulesSearch) => void
}

export function List({ project, query, go }: Props) {
  const client = useQueryClient()
  const [ending, setEnding] = useState('')
  const act = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: () => client.invalidateQueries({ queryKey: ['rules', project] }),
  })
  const activate = (rule: string, active: boolean) => act.mutate(() => activateRule(project, rule, active))
  const edit = (name: string) => go({ form: 'edit', rule: name })
  useShortcuts([{ keys: 'n', what: 'Make a rule', run: () => go({ form: 'new' }) }])
  return (
    <>
      <div className="row alerts-bar">
        {query.data && <span className="muted">{counted(query.data.length, 'rule')}</span>}
        {act.error && (
          <span className="bad" role="alert">
            {act.error.message}
          </span>
        )}
        <span className="grow" />
        <Button icon="plus" tone="primary" onClick={() => go({ form: 'new' })}>
          New rule
        </Button>
      </div>
      <TableOf
        label="Rules"
        query={query}
        rows={query.data}
        keyOf={({ name }) => name}
        columns={[
          {
            title: 'Name',
            className: 'rules-name',
            cell: (rule) => <Name of={rule} edit={() => edit(rule.name)} />,
          },
          {
            title: 'What it does',
            className: 'rules-what',
            cell: ({ definition }) => definition && sentenceOf(definition),
          },
          {
            title: 'Acts',
            cell: ({ name, definition }) =>
              definition && (
                <label className="check">
                  <input
                    type="checkbox"
                    checked={definition.active}
                    aria-label={`${name} acts`}
                    disabled={act.isPending}
                    onChange={() => activate(name, !definition.active)}
                  />
                  {definition.active ? 'On' : 'Off'}
                </label>
              ),
          },
          {
            title: 'Matched',
            isWide: true,
            className: 'alerts-whole',
            cell: ({ matched, matched_today: today }) => `${count(today)} today, ${count(matched)} in all`,
          },
          {
            title: 'Skipped today',
            isWide: true,
            isBad: ({ skipped_today: skipped }) => skipped > 0,
            cell: ({ skipped_today: skipped }) => count(skipped),
          },
          timeColumn<Rule>('Last run', ({ last_run_at: at }) => at, { isWide: true }),
          {
            title: 'Problem',
            className: 'rules-what',
            cell: ({ problem }) => problem && <span className="bad">{problem}</span>,
          },
          {
            title: <span className="unseen">Change</span>,
            isNumber: true,
            cell: ({ name, definition }) => (
              <Menu trigger={<IconButton icon="menu" label={`Change ${name}`} />}>
                {definition && <MenuItem choose={() => edit(name)}>Edit…</MenuItem>}
                {definition && (
                  <MenuItem choose={() => go({ form: 'copy', rule: name })}>Duplicate…</MenuItem>
                )}
                <MenuItem choose={() => go({ tab: 'runs', rule: name })}>What it did</MenuItem>
                <MenuItem danger choose={() => setEnding(name)}>
                  Delete…
                </MenuItem>
              </Menu>
            ),
          },
        ]}
        empty={<None use={() => go({ form: 'example' })} />}
      />
      <Dialog title="Delete a rule" open={ending !== ''} close={() => setEnding('')}>
        <div className="alerts-form">
          <p>{ending} does nothing any more, also not what waits. What it did stays.</p>
          <Button
            tone="danger"
            disabled={act.isPending}
            onClick={() => act.mutate(() => deleteRule(project, ending), { onSettled: () => setEnding('') })}
          >
            Delete it
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function Name({ of: { name, definition }, edit }: { of: Rule; edit: () => void }) {
  if (definition === null) return name
  return (
    <>
      <button type="button" className="alerts-name" onClick={edit}>
        {name}
      </button>
      {definition.description && <div className="wide cut alerts-about">{definition.description}</div>}
    </>
  )
}

function None({ use }: { use: () => void }) {
  return (
    <Empty title="No rule yet">
      <p>A rule does something by itself when something happens in this project. For example:</p>
      <p>{sentenceOf(savedOf('', FIRST_EXAMPLE) as Said)}</p>
      <Button tone="primary" onClick={use}>
        Begin with this example
      </Button>
    </Empty>
  )
}
