/** What an alert says: its usual sentence, or the text that its template makes. Pure. */
import type { AlertDefinition, AlertSource } from '../../contract/alerts.js'
import { errors } from '../../platform/errors/catalog.js'
import { fillPlaces, unknownPlace } from '../notifications/template.js'
import type { Change } from './judge.js'

/** What messages are about beside the change itself. */
export interface About {
  project: string
  name: string
  definition: AlertDefinition
  /** of the page; empty: it is not known */
  url: string
}

const NAMES = [
  'name',
  'project',
  'description',
  'state',
  'previous_state',
  'group',
  'group_by',
  'metric',
  'value',
  'comparison',
  'threshold',
  'window',
  'url',
] as const
type Name = (typeof NAMES)[number]

/** @throws 400 if it names what is not known */
export function checkTemplate(template: string): void {
  const unknown = unknownPlace(template, NAMES)
  if (unknown !== undefined)
    throw errors.badRequest(`The message names {{${unknown}}}; it may name ${NAMES.join(', ')}.`)
}

export function textOf(about: About, change: Change): string {
  const { message } = about.definition
  if (message === null) return usual(about, change)
  return fillPlaces(message, valuesOf(about, change))
}

/** `error_count (avg)`, `p95 of latency_ms` */
function metricOf(source: AlertSource): string {
  if (source.type === 'sql') return 'the value of its SQL'
  const what = source.type === 'calls' ? source.metric : `${source.feedback_type} ${source.json_path}`
  return `${source.percentile === null ? source.aggregation : `p${source.percentile}`} of ${what}`
}

/** What a group is one of; empty: it is not grouped. */
export function groupingOf(source: AlertSource): string {
  if (source.type === 'sql') return 'group'
  return source.group_by ?? ''
}

/** Of what ended for another reason than its value. */
export function endedText(where: Where, reason: string): string {
  return `Resolved: ${whereText(where)}: ${reason}.`
}

interface Where {
  project: string
  name: string
  grouping: string
  group: string
}

const whereText = ({ project, name, grouping, group }: Where) =>
  `${name} (${project}${group === '' ? '' : `, ${grouping} ${group}`})`

function usual(about: About, change: Change): string {
  const { state, previous, group } = change
  const { metric, value, comparison, threshold, window } = valuesOf(about, change)
  const where = whereText({ ...about, grouping: groupingOf(about.definition.source), group })
  const again = state === previous ? ' still' : ''
  if (state === 'no_data') return `No data: ${where}: too little in ${window} to judge ${metric}.`
  const compared = `${metric} is ${value}${again}`
  if (state === 'ok')
    return value === ''
      ? `Resolved: ${where}: there is too little in ${window} to judge ${metric}.`
      : `Resolved: ${where}: ${metric} is ${value}, no longer ${comparison} ${threshold}.`
  const level = state === 'alert' ? 'Alert' : 'Warning'
  return `${level}: ${where}: ${compared}, ${comparison} ${threshold}, over ${window}.`
}

function valuesOf({ project, name, definition, url }: About, change: Change): Record<Name, string> {
  const { group, state, previous, value, threshold } = change
  const { description, source, comparison, window_seconds } = definition
  return {
    ...{ name, project, description: description ?? '', state, previous_state: previous, group, url },
    ...{ group_by: groupingOf(source), metric: metricOf(source), comparison },
    value: value === null ? '' : numberText(value),
    threshold: threshold === null ? '' : numberText(threshold),
    window: durationText(window_seconds),
  }
}

const numberText = (value: number) => String(Number(value.toPrecision(6)))

/** `15 minutes` */
export function durationText(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? ['second', 1]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
