/** The names of providers' keys. They are set on the machine, since a person who can set one can also send it somewhere. */
import { useQuery } from '@tanstack/react-query'
import { type Secret, secretsQuery } from '../../api/keys'
import { Snippet } from '../../ui/copy'
import { Empty, Loading } from '../../ui/states'
import { Table, timeColumn } from '../../ui/table'
import { DeniedOrFailed } from './denied'

export function Secrets() {
  const { data: secrets, error, refetch } = useQuery(secretsQuery)
  if (error)
    return <DeniedOrFailed error={error} retry={() => void refetch()} command="heddle secrets list" />
  if (secrets === undefined) return <Loading />
  return (
    <>
      {secrets.length === 0 ? (
        <Empty title="No secret is set">
          <p>A secret is the key of a model provider, which Heddle sends when it calls its models.</p>
        </Empty>
      ) : (
        <Table
          rows={secrets}
          keyOf={({ scope, name }) => `${scope} ${name}`}
          columns={[
            { title: 'Name', cell: ({ name }) => <code>{name}</code> },
            { title: 'For whom', cell: ({ scope }) => (scope === '*' ? 'everyone' : scope) },
            { title: 'Sent only to', cell: ({ origin }) => (origin === '*' ? 'any address' : origin) },
            timeColumn<Secret>('Set', ({ created_at: at }) => at),
          ]}
        />
      )}
      <section className="settings-hint">
        <p>Secrets are set and deleted on the machine that Heddle runs on:</p>
        <Snippet
          text={
            'heddle secrets set acme OPENAI_API_KEY --for https://api.openai.com < file\nheddle secrets delete acme OPENAI_API_KEY'
          }
        />
      </section>
    </>
  )
}
