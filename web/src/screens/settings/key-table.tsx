/** Keys with their rights and limits, and what may be done with each. */
import type { ApiKey, Grant } from '../../api/keys'
import { Button } from '../../ui/button'
import { type Column, Table, timeColumn } from '../../ui/table'
import { Time } from '../../ui/time'

export const grantText = ({ scope, right, area }: Grant): string =>
  [scope, area, right].filter((part) => part !== undefined).join(':')

const USER: Column<ApiKey> = {
  title: 'User',
  cell: ({ username, is_current: isCurrent, is_personal: isPersonal }) => (
    <>
      {username} {isCurrent && <span className="chip accent">yours</span>}{' '}
      {isPersonal && <span className="chip">personal</span>}
    </>
  ),
}

export function KeyTable({
  label,
  keys,
  isOwn = false,
  change,
  rotate,
  revoke,
}: {
  label: string
  keys: readonly ApiKey[]
  isOwn?: boolean
  change: (key: ApiKey) => void
  rotate: (key: ApiKey) => void
  revoke: (key: ApiKey) => void
}) {
  return (
    <Table
      label={label}
      rows={keys}
      keyOf={({ key_id: id }) => id}
      columns={[
        ...(isOwn ? [] : [USER]),
        {
          title: 'Rights',
          cell: ({ grants, is_personal: isPersonal }) =>
            isPersonal && grants.length === 0
              ? 'its user’s'
              : grants.map((grant) => (
                  <span key={grantText(grant)} className="chip">
                    {grantText(grant)}
                  </span>
                )),
        },
        { title: 'Label', isWide: true, cell: ({ label: text }) => text },
        { title: 'Logs chats to', isWide: true, cell: ({ trace_project: project }) => project },
        timeColumn<ApiKey>('Made', ({ created_at: at }) => at, { isWide: true }),
        {
          title: 'Ends',
          isMuted: true,
          isWide: true,
          cell: ({ expires_at: at }) => (at === null ? 'never' : <Time at={at} />),
        },
        {
          title: 'Only',
          isWide: true,
          cell: ({ models, addresses }) =>
            [...(models ?? []), ...(addresses ?? [])].map((one) => (
              <span key={one} className="chip">
                {one}
              </span>
            )),
        },
        { title: 'Id', isWide: true, cell: ({ key_id: id }) => <code>{id}</code> },
        {
          title: <span className="unseen">Change</span>,
          isNumber: true,
          cell: (key) => (
            <>
              {(isOwn || !key.is_personal) && (
                <Button
                  aria-label={`Change the key ${key.key_id} of ${key.username}`}
                  onClick={() => change(key)}
                >
                  Change
                </Button>
              )}{' '}
              {(isOwn || !key.is_personal) && (
                <Button
                  aria-label={`Rotate the key ${key.key_id} of ${key.username}`}
                  onClick={() => rotate(key)}
                >
                  Rotate
                </Button>
              )}{' '}
              <Button
                tone="danger"
                aria-label={`Revoke the key ${key.key_id} of ${key.username}`}
                onClick={() => revoke(key)}
              >
                Revoke
              </Button>
            </>
          ),
        },
      ]}
    />
  )
}
