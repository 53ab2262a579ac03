/** Which alias is set, and the scores that a run of an evaluation must reach before. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { runsQuery, summariesQuery } from '../../api/evaluations'
import { aliasesQuery } from '../../api/rules'
import { Button, IconButton } from '../../ui/button'
import { NameField, NumberField } from '../../ui/fields'
import { metricsOf } from '../evaluations/compare'
import type { ActionProps } from './action-fields'
import { type GateScore, NO_SCORE } from './draft'

const WHAT = {
  evaluation: 'It is set to the version of the model that was evaluated.',
  dataset_version: 'It is set to the new version of the dataset.',
  alias: 'It is set to the version that the other alias was set to.',
} as const

export function GateFields({ project, trigger, action, change }: ActionProps<'set_alias'>) {
  const { data: aliases = [] } = useQuery(aliasesQuery(project))
  const set = (gate: readonly GateScore[]) => change({ ...action, gate })
  return (
    <>
      <NameField
        label="Alias"
        names={aliases}
        value={action.alias}
        set={(alias) => change({ ...action, alias })}
        maxLength={128}
      />
      <p className="muted">{WHAT[trigger as keyof typeof WHAT]}</p>
      {trigger === 'evaluation' && <Gate project={project} gate={action.gate} set={set} />}
    </>
  )
}

interface GateProps {
  project: string
  gate: readonly GateScore[]
  set: (gate: readonly GateScore[]) => void
}

function Gate({ project, gate, set }: GateProps) {
  const scores = useScores(project)
  const change = (at: number, more: Partial<GateScore>) => set(gate.with(at, { ...gate[at]!, ...more }))
  return (
    <div className="rules-rows">
      {gate.map((one, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a score is its place
          key={at}
          className="rules-score"
          role="group"
          aria-label={`Score ${at + 1}`}
        >
          <NameField
            label="Only if the score"
            names={scores}
            value={one.score}
            set={(score) => change(at, { score })}
          />
          <NumberField
            label="is at least"
            placeholder="any"
            value={one.min}
            set={(min) => change(at, { min })}
          />
          <NumberField
            label="is at most"
            placeholder="any"
            value={one.max}
            set={(max) => change(at, { max })}
          />
          <NumberField
            label="is worse by at most"
            placeholder="any"
            min={0}
            value={one.max_regression}
            set={(max_regression) => change(at, { max_regression })}
          />
          <IconButton
            icon="close"
            label={`Remove score ${at + 1}`}
            onClick={() => set(gate.toSpliced(at, 1))}
          />
        </div>
      ))}
      <p className="muted">
        {gate.length === 0
          ? 'The alias is set whatever the scores are, unless you ask for some.'
          : 'A score is named by its scorer, and by the path inside its value, joined by dots. Give a least or a most, not both. Worse means: than the last run of the version that has the alias now.'}
      </p>
      <div>
        <Button icon="plus" onClick={() => set([...gate, NO_SCORE])}>
          Ask for a score
        </Button>
      </div>
    </div>
  )
}

/** The scores of the newest run. */
function useScores(project: string): string[] {
  const { data: runs } = useInfiniteQuery(runsQuery(project))
  const newest = runs?.pages[0]?.find(({ ended_at: end }) => end)?.id
  const { data } = useQuery(summariesQuery(project, newest === undefined ? [] : [newest]))
  return metricsOf(data?.summaries ?? []).flatMap(({ id, title }) => (id === `scores.${title}` ? title : []))
}
