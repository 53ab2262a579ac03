/** What the parts of the page for people share: scopes and roles to choose from, changes, and the forms of dialogs. */
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { rolesQuery } from '../../api/people'
import { projectsQuery } from '../../api/projects'
import { sessionQuery } from '../../api/session'
import { Button } from '../../ui/button'
import { ChoiceField, titled } from '../../ui/fields'
import { rolesFor } from './roles'

/** The tag of the routes about people. */
export const AREA = 'People'

/** The scopes that one may choose from: what one has rights over, and the projects and their entities. */
export function useScopes(): string[] {
  const { data: session } = useQuery(sessionQuery)
  const { data: projects = [] } = useQuery(projectsQuery)
  const own = (session?.grants ?? []).map(({ scope }) => scope)
  const ids = projects.map(({ project_id: id }) => id)
  const entities = own.includes('*') ? ids.map((id) => id.split('/')[0]!) : []
  return [...new Set([...own, ...entities, ...ids])].sort()
}

/** Changes something about people, whom all lists show anew then. */
export function useChange<Asked, Answer>(
  change: (asked: Asked) => Promise<Answer>,
  done: (answer: Answer) => void = () => undefined,
): UseMutationResult<Answer, Error, Asked> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: done,
    onSettled: () => client.invalidateQueries({ queryKey: ['people'] }),
  })
}

export function RoleField({
  scope,
  role,
  choose,
}: {
  scope: string
  role: string
  choose: (role: string) => void
}) {
  const { data } = useQuery(rolesQuery)
  // The role is one of them while they are read, so that the form can be sent.
  const names = data ? titled(rolesFor(data.roles, scope), '') : titled([], role)
  return <ChoiceField label="Role" of={names} value={role} choose={choose} first="Choose a role" />
}

export function Wrong({ error, className = '' }: { error: Error | null | undefined; className?: string }) {
  if (!error) return null
  return (
    <p className={`bad ${className}`} role="alert">
      {error.message}
    </p>
  )
}

/** A form in a dialog. @param props.of what it asks for, when it is sent */
export function Form({
  of,
  send,
  does,
  children,
}: {
  of: { error: Error | null; isPending: boolean }
  send: () => void
  /** on its button */
  does: string
  children: ReactNode
}) {
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {children}
      <Wrong error={of.error} />
      <Button tone="primary" type="submit" disabled={of.isPending}>
        {does}
      </Button>
    </form>
  )
}
