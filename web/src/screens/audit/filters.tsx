/** The fields by which the audit log is searched. */
import type { AuditFilter } from '../../api/audit'
import { SearchInput } from '../../ui/search-input'
import { type Fields, OUTCOMES } from './shown'

/** All that the service has. */
const CATEGORIES: Readonly<Record<NonNullable<AuditFilter['category']>, true>> = {
  ...{ access: true, secrets: true, settings: true, deletion: true },
  ...{ export: true, labels: true, training: true, automation: true },
}

/** @param props.scopes what the reader administers */
export function Filters({
  fields,
  set,
  scopes,
}: {
  fields: Fields
  set: (fields: Fields) => void
  scopes: readonly string[]
}) {
  const change = (part: Partial<Fields>) => set({ ...fields, ...part })
  return (
    <>
      <input
        className="input"
        aria-label="Entity or project"
        placeholder="entity or entity/project"
        list="audit-scopes"
        value={fields.scope}
        onChange={({ target }) => change({ scope: target.value })}
      />
      <datalist id="audit-scopes">
        {scopes.map((scope) => (
          <option key={scope} value={scope} />
        ))}
      </datalist>
      <SearchInput label="User" text={fields.user} setText={(user) => change({ user })} />
      <select
        className="select"
        aria-label="Category"
        value={fields.category}
        onChange={({ target }) => change({ category: target.value })}
      >
        <option value="">everything</option>
        {Object.keys(CATEGORIES).map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <select
        className="select"
        aria-label="Outcome"
        value={fields.outcome}
        onChange={({ target }) => change({ outcome: target.value })}
      >
        <option value="">any outcome</option>
        {Object.entries(OUTCOMES).map(([outcome, text]) => (
          <option key={outcome} value={outcome}>
            {text}
          </option>
        ))}
      </select>
      <input
        className="input"
        type="date"
        aria-label="Since"
        value={fields.since}
        onChange={({ target }) => change({ since: target.value })}
      />
    </>
  )
}
