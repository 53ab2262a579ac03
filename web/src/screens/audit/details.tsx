/** All that the audit log knows of one thing that was done. */
import type { ReactNode } from 'react'
import type { AuditEntry } from '../../api/audit'
import { Table } from '../../ui/table'
import { Time } from '../../ui/time'
import { OUTCOMES, outcomeText, targetText } from './shown'

export function Details({ of: entry }: { of: AuditEntry }) {
  const facts: [string, ReactNode][] = [
    ['Action', <code key="action">{entry.action}</code>],
    ['Outcome', `${OUTCOMES[entry.outcome]}: ${outcomeText(entry)}`],
    ['Began', <Time key="began" at={entry.began_at} />],
    ['Ended', entry.ended_at !== null && <Time key="ended" at={entry.ended_at} />],
    ['User', entry.username],
    ['Key', entry.key_id],
    ['From', entry.remote_address],
    ['Proxies say', entry.forwarded_for],
    ['Project', entry.project || entry.entity],
    ['To what', targetText(entry.target)],
    ['Request', entry.request_id],
  ]
  return (
    <>
      <dl className="audit-facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <Table
        label="Lines"
        rows={entry.lines}
        keyOf={({ chain, seq }) => `${chain} ${seq}`}
        columns={[
          { title: 'Line', cell: ({ phase }) => phase },
          { title: 'Number', isNumber: true, cell: ({ seq }) => seq },
          { title: 'Hash', cell: ({ hash }) => <code title={hash}>{hash.slice(0, 16)}</code> },
        ]}
      />
    </>
  )
}
