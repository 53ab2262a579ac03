/** Masking: the rules of a scope, how often they matched, new ones, and what they would do. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type MaskRule,
  maskingCountsQuery,
  maskingQuery,
  previewMasking,
  saveMasking,
} from '../../api/masking'
import { projectsQuery } from '../../api/projects'
import { sessionQuery } from '../../api/session'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { NameField } from '../../ui/fields'
import { useSettled } from '../../ui/settled'
import { Empty, Loading } from '../../ui/states'
import { Table } from '../../ui/table'
import { scopesOf } from '../audit/shown'
import { DeniedOrFailed } from '../settings/denied'
import { type Draft, MASKS, ruleOf, whatOf } from './draft'
import './masking.css'
import { Preview } from './preview'
import { RuleForm } from './rule-form'

export function Masking() {
  const client = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const { data: projects = [] } = useQuery(projectsQuery)
  const own = scopesOf(session?.grants ?? [], 'Masking')
  const [asked, setAsked] = useState<string>()
  const scope = asked ?? own[0] ?? '*'
  const settled = useSettled(scope.trim())
  const { data, error, refetch } = useQuery(maskingQuery(settled))
  const { data: counts = [] } = useQuery(maskingCountsQuery(settled))
  const [isMaking, setMaking] = useState(false)
  const saving = useMutation({
    mutationFn: (rules: MaskRule[]) => saveMasking(settled, rules, data?.own.version ?? null),
    onSuccess: () => setMaking(false),
    onSettled: () => client.invalidateQueries({ queryKey: ['masking'] }),
  })
  const attempt = useMutation({
    mutationFn: (draft: Draft | undefined) =>
      previewMasking(settled, draft === undefined ? null : [{ ...ruleOf(draft), name: draft.name || 'new' }]),
  })
  const names = [...new Set([...own, ...projects.map(({ project_id: id }) => id)])]
  const ofProject = settled.includes('/')
  const rules =
    data && [data.own, ...data.wider].flatMap((set) => set.rules.map((rule) => ({ rule, of: set.scope })))
  const matches = (of: string, { name }: MaskRule) =>
    counts.filter((one) => one.scope === of && one.rule === name).reduce((sum, one) => sum + one.matches, 0)
  return (
    <>
      <div className="row settings-bar">
        <NameField label="Entity or project" names={names} value={scope} set={setAsked} />
        <span className="grow" />
        {ofProject && (
          <Button disabled={attempt.isPending} onClick={() => attempt.mutate(undefined)}>
            What they would do
          </Button>
        )}
        <Button tone="primary" icon="plus" disabled={data === undefined} onClick={() => setMaking(true)}>
          Make a rule
        </Button>
      </div>
      {!isMaking && (saving.error || attempt.error) && (
        <p className="bad settings-bar" role="alert">
          {(saving.error ?? attempt.error)?.message}
        </p>
      )}
      {error ? (
        <DeniedOrFailed
          error={error}
          retry={() => void refetch()}
          command="heddle masking set acme mails --detector email"
        />
      ) : rules === undefined ? (
        <Loading />
      ) : rules.length === 0 ? (
        <Empty title="Nothing is masked here">
          <p>Rules change personal data, keys and other texts before anything is stored.</p>
        </Empty>
      ) : (
        <Table
          label="Masking rules"
          rows={rules}
          keyOf={({ of, rule }) => `${of} ${rule.name}`}
          columns={[
            { title: 'Name', cell: ({ rule }) => rule.name },
            { title: 'Of', isMuted: true, cell: ({ of }) => (of === '*' ? 'everybody' : of) },
            { title: 'Masks', cell: ({ rule }) => whatOf(rule) },
            { title: 'As', isWide: true, cell: ({ rule }) => MASKS[rule.how] },
            { title: 'Matches in 30 days', isNumber: true, cell: ({ of, rule }) => matches(of, rule) },
            {
              title: '',
              cell: ({ of, rule }) =>
                of === data!.own.scope &&
                data!.own.rules.includes(rule) && (
                  <IconButton
                    icon="close"
                    label={`Remove ${rule.name}`}
                    onClick={() => saving.mutate(data!.own.rules.filter((one) => one !== rule))}
                  />
                ),
            },
          ]}
        />
      )}
      {!isMaking && attempt.data && (
        <div className="settings-bar">
          <Preview of={attempt.data} />
        </div>
      )}
      <Dialog title="Make a rule" open={isMaking} close={() => setMaking(false)}>
        {isMaking && (
          <RuleForm
            keep={(draft) =>
              saving.mutate([
                ...(data?.own.rules ?? []).filter(({ name }) => name !== draft.name),
                ruleOf(draft),
              ])
            }
            attempt={ofProject ? (draft) => attempt.mutate(draft) : undefined}
            isBusy={saving.isPending || attempt.isPending}
            error={saving.error ?? attempt.error}
          />
        )}
        {isMaking && attempt.data && <Preview of={attempt.data} />}
      </Dialog>
    </>
  )
}
