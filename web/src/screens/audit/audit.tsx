/** The audit log: who did what, filtered, exported, and checked for changes. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AuditEntry, type AuditFilter, auditFile, auditQuery } from '../../api/audit'
import { sessionQuery } from '../../api/session'
import { Button, NextPage } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { downloadBlob } from '../../ui/export'
import { useSettled } from '../../ui/settled'
import { Empty, Loading } from '../../ui/states'
import { Table, timeColumn } from '../../ui/table'
import { DeniedOrFailed } from '../settings/denied'
import './audit.css'
import { Details } from './details'
import { Filters } from './filters'
import { type Fields, filterOf, OUTCOMES, scopesOf, targetText, whoText } from './shown'
import { Verify } from './verify'

export function Audit() {
  const { data: session } = useQuery(sessionQuery)
  const scopes = scopesOf(session?.grants ?? [], 'Audit')
  const [scope = '*'] = scopes
  const [fields, setFields] = useState<Fields>({ scope, user: '', category: '', outcome: '', since: '' })
  const [shown, show] = useState<AuditEntry>()
  const [isChecking, check] = useState(false)
  const filter = filterOf(useSettled(fields))
  const query = useInfiniteQuery(auditQuery(filter))
  const entries = query.data?.pages.flatMap((page) => page.entries)
  return (
    <>
      <div className="row settings-bar">
        <Filters fields={fields} set={setFields} scopes={scopes} />
        <span className="grow" />
        <Export filter={filter} />
        {scopes.includes('*') && (
          <Button icon="check" onClick={() => check(true)}>
            Check the log
          </Button>
        )}
      </div>
      {query.error ? (
        <DeniedOrFailed error={query.error} retry={() => void query.refetch()} command="heddle audit list" />
      ) : entries === undefined ? (
        <Loading />
      ) : entries.length === 0 ? (
        <Empty title="Nothing is in the log for this">
          <p>Changes of keys, settings and data are listed here, with who made them and who was refused.</p>
        </Empty>
      ) : (
        <Table
          label="Audit log"
          rows={entries}
          keyOf={({ id }) => id}
          columns={[
            timeColumn<AuditEntry>('When', ({ began_at: at }) => at),
            { title: 'Who', cell: whoText },
            {
              title: 'What',
              cell: (entry) => (
                <Button tone="quiet" className="audit-action" onClick={() => show(entry)}>
                  {entry.action}
                </Button>
              ),
            },
            { title: 'Outcome', cell: ({ outcome }) => <Outcome of={outcome} /> },
            { title: 'Where', isWide: true, cell: ({ project, entity }) => project || entity },
            {
              ...{ title: 'To what', isMuted: true, isWide: true, className: 'audit-target' },
              cell: ({ target }) => targetText(target),
            },
          ]}
        />
      )}
      <NextPage of={query} />
      <Dialog title="What was done" open={shown !== undefined} close={() => show(undefined)}>
        {shown && <Details of={shown} />}
      </Dialog>
      <Dialog title="Check the log" open={isChecking} close={() => check(false)}>
        <Verify />
      </Dialog>
    </>
  )
}

function Outcome({ of }: { of: AuditEntry['outcome'] }) {
  return <span className={`chip audit-${of}`}>{OUTCOMES[of]}</span>
}

function Export({ filter }: { filter: AuditFilter }) {
  const exporting = useMutation({
    mutationFn: async (format: 'jsonl' | 'cef') =>
      downloadBlob(`audit.${format}`, await auditFile(filter, format)),
  })
  return (
    <>
      {exporting.error && (
        <span className="bad" role="alert">
          {exporting.error.message}
        </span>
      )}
      <Button disabled={exporting.isPending} onClick={() => exporting.mutate('jsonl')}>
        Export JSONL
      </Button>
      <Button disabled={exporting.isPending} onClick={() => exporting.mutate('cef')}>
        Export CEF
      </Button>
    </>
  )
}
