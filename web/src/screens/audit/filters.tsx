/** The fields by which the audit log is searched. */
import type { AuditFilter } from '../../api/audit'
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
      <label>
        Entity or project
        <input
          className="input"
          list="audit-scopes"
          value={fields.scope}
          onChange={({ target }) => change({ scope: target.value })}
        />
      </label>
      <datalist id="audit-scopes">
        {scopes.map((scope) => (
          <option key={scope} value={scope} />
        ))}
      </datalist>
      <label>
        User
        <input
          className="input"
          type="search"
          value={fields.user}
          onChange={({ target }) => change({ user: target.value })}
        />
      </label>
      <label>
        Category
        <select
          className="select"
          value={fields.category}
          onChange={({ target }) => change({ category: target.value })}
        >
          <option value="">everything</option>
          {Object.keys(CATEGORIES).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        Outcome
        <select
          className="select"
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
      </label>
      <label>
        Since
        <input
          className="input"
          type="date"
          value={fields.since}
          onChange={({ target }) => change({ since: target.value })}
        />
      </label>
    </>
  )
}
