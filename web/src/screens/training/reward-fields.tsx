/** Fields of a job that starts: where rewards come from, and on which rows its model is watched. */
import { useQuery } from '@tanstack/react-query'
import { datasetNamesQuery, scorerNamesQuery } from '../../api/objects'
import { type Fields, REWARDS } from './start'

/** What an input or a select with this name takes. */
type Field = (name: string) => {
  name: string
  value: string
  onChange: (event: { target: { value: string } }) => void
}

const REWARD_NAMES: Record<(typeof REWARDS)[number], string> = {
  none: 'none',
  judge: 'a scorer or rubric that looks at the answers',
  reaction: 'reactions: 👍 is 1, 👎 is 0',
  scorer: "a scorer's result",
  feedback: 'a field of feedback',
  column: 'a field of the call or row',
}

interface Props {
  project: string
  fields: Fields
  field: Field
}

/** @param isRl whether the job learns from rewards */
export function RewardFields({ project, fields, field, isRl }: Props & { isRl: boolean }) {
  const { reward = '' } = fields
  return (
    <>
      <label>
        Reward
        <select className="select" {...field('reward')}>
          {REWARDS.filter((name) => name !== 'judge' || isRl).map((name) => (
            <option key={name} value={name}>
              {REWARD_NAMES[name]}
            </option>
          ))}
        </select>
      </label>
      {reward === 'judge' && (
        <Scorer label="Scorer" none="choose one" required project={project} {...field('judge')} />
      )}
      {['scorer', 'feedback'].includes(reward) && (
        <label>
          {reward === 'scorer' ? 'Name of the scorer' : 'Type of the feedback'}
          <input className="input" required {...field('rewardName')} />
        </label>
      )}
      {['judge', 'scorer', 'feedback', 'column'].includes(reward) && (
        <label>
          Path of the value
          <input
            className="input mono"
            required={reward === 'feedback' || reward === 'column'}
            {...field('rewardPath')}
          />
        </label>
      )}
    </>
  )
}

const NUMBERS = [
  ['checkRows', 'Rows', '32'],
  ['checkMaxTokens', 'Tokens of an answer', '512'],
  ['checkEvery', 'Every so many checkpoints', '1'],
  ['checkWindow', 'Checks that are compared', '5'],
] as const

/** Rows that the model never learns from, which it answers before it is trained on. */
export function CheckFields({ project, fields, field }: Props) {
  const { data: datasets = [] } = useQuery(datasetNamesQuery(project))
  const isChecked = Boolean(fields.check)
  const hasJudge = fields.reward === 'judge'
  return (
    <details>
      <summary>Watch it on rows that it never learns from</summary>
      <div className="training-watch">
        <label>
          Held-out dataset
          <select className="select" {...field('check')}>
            <option value="">none</option>
            {datasets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {isChecked && (
          <>
            <Scorer
              label="Who scores its answers"
              none={hasJudge ? 'the scorer of the reward' : 'choose one'}
              required={!hasJudge}
              project={project}
              {...field('checkScorer')}
            />
            <label>
              Path of its value
              <input className="input mono" {...field('checkPath')} />
            </label>
            <div className="row">
              {NUMBERS.map(([name, label, placeholder]) => (
                <label key={name}>
                  {label}{' '}
                  <input
                    className="input training-number"
                    inputMode="numeric"
                    pattern="[1-9]\d*"
                    placeholder={placeholder}
                    {...field(name)}
                  />
                </label>
              ))}
            </div>
            <label>
              Pause if the reward rises and their score falls by
              <input
                className="input training-number"
                type="number"
                min="0"
                step="any"
                placeholder="0.05"
                {...field('checkMinChange')}
              />
            </label>
          </>
        )}
      </div>
    </details>
  )
}

function Scorer(
  props: { label: string; none: string; required: boolean; project: string } & ReturnType<Field>,
) {
  const { label, none, project, ...select } = props
  const { data: scorers = [] } = useQuery(scorerNamesQuery(project))
  return (
    <label>
      {label}
      <select className="select" {...select}>
        <option value="">{none}</option>
        {scorers.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}
