/** What is sent beside the messages: parameters, the format of the answer, tools. Only what was set is sent. */
import { useState } from 'react'
import { Button } from '../../ui/button'
import { ChoiceField, NumberField } from '../../ui/fields'
import { JsonField } from '../../ui/json-field'
import { jsonProblem } from '../../ui/json-problem'
import type { Draft } from './draft'
import { type FormatKind, formatKind, formatProblem, formatText } from './format'
import { limitName, settingsOf, stopsIn, stopText, withSetting } from './parameters'
import { toolsProblem, withTool } from './tools'

interface Props {
  draft: Draft
  change: (more: Partial<Draft>) => void
}

export function RequestSettings({ draft, change }: Props) {
  return (
    <>
      <Parameters draft={draft} change={change} />
      <Format draft={draft} change={change} />
      <Tools draft={draft} change={change} />
    </>
  )
}

const NUMBERS = [
  { name: 'temperature', label: 'Temperature', min: 0, max: 2 },
  { name: 'top_p', label: 'Top p', min: 0, max: 1 },
  { name: 'limit', label: 'Max tokens', min: 1, step: 1 },
  { name: 'seed', label: 'Seed', step: 1 },
  { name: 'presence_penalty', label: 'Presence penalty', min: -2, max: 2 },
  { name: 'frequency_penalty', label: 'Frequency penalty', min: -2, max: 2 },
] as const

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']

function Parameters({ draft: { settings: text }, change }: Props) {
  const settings = settingsOf(text)
  const set = (name: string, value: unknown) => change({ settings: withSetting(text, name, value) })
  const effort = String(settings?.reasoning_effort ?? '')
  const efforts = [...new Set([...EFFORTS, ...(effort === '' ? [] : [effort])])]
  return (
    <fieldset className="playground-parameters">
      <legend>Parameters</legend>
      {settings && (
        <div className="playground-fields">
          {NUMBERS.map(({ name: given, ...field }) => {
            const name = given === 'limit' ? limitName(settings) : given
            const value = settings[name]
            return (
              <NumberField
                key={given}
                {...field}
                placeholder="default"
                value={typeof value === 'number' ? value : null}
                set={(next) => set(name, next ?? undefined)}
              />
            )
          })}
          <ChoiceField
            label="Reasoning effort"
            of={Object.fromEntries([['', 'default'], ...efforts.map((one) => [one, one])])}
            value={effort}
            choose={(value) => set('reasoning_effort', value || undefined)}
          />
          <Stops stop={settings.stop} set={(value) => set('stop', value)} />
        </div>
      )}
      <details open={settings === undefined}>
        <summary>All as JSON</summary>
        <JsonField
          label="Settings"
          text={text}
          setText={(next) => change({ settings: next })}
          problem={jsonProblem(text, 'object')}
          placeholder={'{"temperature": 0.2, "max_tokens": 500}'}
          rows={text === '' ? 2 : 6}
        />
      </details>
    </fieldset>
  )
}

/** Keeps the text as it was typed while it means what is set: a line that was just begun is not yet one. */
function Stops({ stop, set }: { stop: unknown; set: (stops: string[] | undefined) => void }) {
  const written = stopText(stop)
  const [typed, setTyped] = useState(written)
  const text = stopText(stopsIn(typed)) === written ? typed : written
  return (
    <label>
      Stop sequences
      <textarea
        className="input mono"
        rows={Math.max(1, text.split('\n').length)}
        placeholder="one a line"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setTyped(target.value)
          set(stopsIn(target.value))
        }}
      />
    </label>
  )
}

const FORMATS = { text: 'Text', json_object: 'JSON', json_schema: 'JSON by a schema' }

function Format({ draft: { format }, change }: Props) {
  const kind = formatKind(format)
  return (
    <div className="playground-format">
      <ChoiceField<FormatKind>
        label="Answer format"
        of={kind === 'other' ? { ...FORMATS, other: 'Other' } : FORMATS}
        value={kind}
        choose={(next) => change({ format: formatText(next) })}
      />
      {(kind === 'json_schema' || kind === 'other') && (
        <JsonField
          label="Format as JSON"
          text={format}
          setText={(text) => change({ format: text })}
          problem={formatProblem(format)}
          rows={10}
        />
      )}
    </div>
  )
}

function Tools({ draft: { tools }, change }: Props) {
  const problem = toolsProblem(tools)
  return (
    <div className="playground-tools">
      <JsonField
        label="Tools"
        text={tools}
        setText={(text) => change({ tools: text })}
        problem={problem}
        placeholder={'[{"type": "function", "function": {"name": "lookup", "parameters": {…}}}]'}
        rows={tools === '' ? 2 : 10}
      />
      <Button icon="plus" disabled={problem !== undefined} onClick={() => change({ tools: withTool(tools) })}>
        Add a tool
      </Button>
    </div>
  )
}
