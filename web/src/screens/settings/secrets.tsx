/** The names of providers' keys. They are set on the machine, since a person who can set one can also send it somewhere. */
import { useQuery } from '@tanstack/react-query'
import { secretsQuery } from '../../api/keys'
import { Snippet } from '../../ui/copy'
import { Empty, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
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
        <table className="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>For whom</th>
              <th>Sent only to</th>
              <th>Set</th>
            </tr>
          </thead>
          <tbody>
            {secrets.map(({ scope, name, origin, created_at: at }) => (
              <tr key={`${scope} ${name}`}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{scope === '*' ? 'everyone' : scope}</td>
                <td>{origin === '*' ? 'any address' : origin}</td>
                <td className="muted">
                  <Time at={at} relative />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
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
