/** The fields by which the audit log is searched. */
import type { AuditFilter } from '../../api/audit'
import { ChoiceField, NameField, titled } from '../../ui/fields'
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
      <NameField
        label="Entity or project"
        names={scopes}
        value={fields.scope}
        set={(scope) => change({ scope })}
        none="entity or entity/project"
      />
      <label>
        User
        <input
          className="input"
          type="search"
          value={fields.user}
          onChange={({ target }) => change({ user: target.value })}
        />
      </label>
      <ChoiceField
        label="Category"
        of={{ '': 'everything', ...titled(Object.keys(CATEGORIES), '') }}
        value={fields.category}
        choose={(category) => change({ category })}
      />
      <ChoiceField
        label="Outcome"
        of={{ '': 'any outcome', ...OUTCOMES }}
        value={fields.outcome}
        choose={(outcome) => change({ outcome })}
      />
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
