/**
 * A span as JSON text: what `attributes.otel_span` reads back. It is stored as its values and the text around them, which
 * the spans of a program share: see `domain/calls/otel-span.ts`. Knows the form of a span and nothing of what its
 * attributes mean.
 */
import { SPAN_KINDS, SPAN_STATUSES } from '../../domain/agents/keys.js'
import type { CallBlock } from '../../domain/calls/block.js'
import type { Shared } from '../../domain/calls/low-cardinality.js'
import { MARKS } from '../../domain/calls/otel-span.js'
import { SUMMED } from '../../domain/conventions/table.js'
import type { Slice } from '../../platform/json/scan.js'
import type { AttributeLookup } from './attribute-lookup.js'
import type { Attributes } from './attributes.js'
import { BadSpan } from './bad.js'
import type { ResourceLabels } from './labels.js'
import type { Resource } from './resource.js'
import { type Span, SpanEvent, SpanLink } from './span.js'
import { timeText } from './time.js'
import { type TreeNode, treeJson, treeOf } from './tree.js'
import { stringJson } from './value.js'
import type { Wire } from './wire.js'

/** What stands between the values of events and links, and before what was dropped. */
export const LITERALS = {
  partName: '{"name":',
  eventTime: ',"timestamp":',
  partAttributes: ',"attributes":',
  events: ',"events":[',
  links: '],"links":[',
  droppedAttributes: ',"dropped_attributes_count":',
  droppedEvents: ',"dropped_events_count":',
  droppedLinks: ',"dropped_links_count":',
  flags: ',"flags":',
  linkTrace: '{"trace_id":"',
  linkSpan: '","span_id":"',
  linkState: '","trace_state":',
} as const

/** What the spans of one scope and resource have in common: how their text ends, and what the resource says of their calls. */
export interface Origin extends Shared {
  readonly labels: ResourceLabels
  /** usage of one span may be told again by a later one: see `SUMMED` */
  readonly sums: boolean
}

const SUMS = `{"name":"${SUMMED.scope}","version":"${SUMMED.version}`

/** @param scope JSON text */
export function originOf(scope: string, { text, labels }: Resource): Origin {
  return {
    text: `,"scope":${scope},"resource":${text}}`,
    index: 0,
    dictionary: 0,
    labels,
    sums: scope.startsWith(SUMS),
  }
}

/** What of a span its call has in other columns. */
export interface Elsewhere {
  /** the marks of what stands in inputs and output */
  readonly cuts: ReadonlyMap<TreeNode, string>
  /** the ids and times are the call's, these but for their last digits */
  readonly own: boolean
}

/**
 * Appends the span to the columns that keep it: in one piece if the block keeps as many texts apart as it can.
 * @throws BadSpan if one of its events or links can't be written
 */
export function writeSpan(
  block: CallBlock,
  wire: Wire,
  span: Span,
  lookup: AttributeLookup,
  origin: Origin,
  elsewhere: Elsewhere,
): void {
  const { otel_span, otel_shape, otel_origin, rows } = block
  const values: string[] = []
  const keep = (json: string) => {
    values.push(json)
    return MARKS.value
  }
  const shape = spanText(wire, span, lookup, elsewhere, keep)
  otel_span.open()
  if (otel_origin.shared(origin) && otel_shape.shared({ text: shape, index: 0, dictionary: 0 })) {
    otel_span.utf8([...values, tailOf(wire, span)].join(MARKS.value))
  } else {
    otel_origin.rewind(rows)
    const whole = spanText(wire, span, lookup, { cuts: new Map(), own: false }, (json) => json)
    otel_span.utf8(whole + tailOf(wire, span) + origin.text)
  }
  otel_span.close()
}

/** The text up to the end of the attributes. @param value what stands there for a value */
function spanText(
  { buf }: Wire,
  span: Span,
  lookup: AttributeLookup,
  { cuts, own }: Elsewhere,
  value: (json: string) => string,
): string {
  const text = ({ from, to }: Slice) => value(stringJson(buf.subarray(from, to)))
  const id = (mark: string, { from, to }: Slice) => `"${own ? mark : value(buf.toString('hex', from, to))}"`
  const time = (mark: string, at: number) =>
    own ? `"${mark}${value(timeText(buf, at).slice(-4, -1))}Z"` : value(timeJson(buf, at))
  const attribute = (node: TreeNode) => {
    const json = lookup.valueOf(node)
    return cuts.get(node) ?? (json === undefined ? undefined : value(json))
  }
  const { kind, statusCode, parentId } = span
  const hasParent = parentId.from < parentId.to
  // Values are met in the order of the text.
  return [
    `{"name":${text(span.name)}`,
    `,"context":{"trace_id":${id(MARKS.traceId, span.traceId)},"span_id":${id(MARKS.id, span.spanId)}`,
    `,"trace_state":${text(span.state)}}`,
    `,"kind":"${SPAN_KINDS[kind] ?? SPAN_KINDS[0]}"`,
    `,"parent_id":${hasParent ? id(MARKS.parentId, parentId) : 'null'}`,
    `,"start_time":${time(MARKS.start, span.start)}`,
    `,"end_time":${span.end < 0 ? 'null' : time(MARKS.end, span.end)}`,
    `,"status":{"code":"${SPAN_STATUSES[statusCode] ?? SPAN_STATUSES[0]}","message":${text(span.message)}}`,
    `,"attributes":${treeJson(lookup.keys.root, attribute, true)}`,
  ].join('')
}

/** What follows the attributes: events, links, what was dropped. */
function tailOf(wire: Wire, span: Span): string {
  return [
    LITERALS.events,
    span.events.map((at) => eventJson(wire, new SpanEvent(wire, at))).join(','),
    LITERALS.links,
    span.links.map((at) => linkJson(wire, new SpanLink(wire, at))).join(','),
    ']',
    countJson(LITERALS.droppedAttributes, span.droppedAttributes),
    countJson(LITERALS.droppedEvents, span.droppedEvents),
    countJson(LITERALS.droppedLinks, span.droppedLinks),
    countJson(LITERALS.flags, span.flags),
  ].join('')
}

function eventJson(wire: Wire, { name, time, attributes, dropped }: SpanEvent): string {
  return [
    LITERALS.partName + stringJson(wire.buf.subarray(name.from, name.to)),
    LITERALS.eventTime + timeJson(wire.buf, time),
    LITERALS.partAttributes + nestedJson(wire, attributes),
    `${countJson(LITERALS.droppedAttributes, dropped)}}`,
  ].join('')
}

function linkJson(wire: Wire, { traceId, spanId, state, attributes, dropped, flags }: SpanLink): string {
  const { buf } = wire
  return [
    LITERALS.linkTrace + buf.toString('hex', traceId.from, traceId.to),
    LITERALS.linkSpan + buf.toString('hex', spanId.from, spanId.to),
    LITERALS.linkState + stringJson(buf.subarray(state.from, state.to)),
    LITERALS.partAttributes + nestedJson(wire, attributes),
    countJson(LITERALS.droppedAttributes, dropped),
    `${countJson(LITERALS.flags, flags)}}`,
  ].join('')
}

function nestedJson(wire: Wire, attributes: Attributes): string {
  const tree = treeOf(attributes.keys)
  if (typeof tree === 'string') throw new BadSpan(`in an event or a link ${tree}`)
  return attributes.nested(wire, tree)
}

function timeJson(buf: Buffer, at: number): string {
  return at < 0 ? 'null' : `"${timeText(buf, at)}"`
}

function countJson(opening: string, count: number): string {
  return count === 0 ? '' : opening + count
}
