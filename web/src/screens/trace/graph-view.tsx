/** The graph of a trace, drawn. A node leads to its calls, one after the other. */
import { useMemo } from 'react'
import { count, counted } from '../../ui/format'
import type { FactsById } from './facts'
import { graphOf, layoutOf, type Node, type Place } from './graph'
import { KindIcon } from './kind-icon'
import type { Tree } from './tree'
import './graph.css'

const [WIDE, HIGH, GAP_X, GAP_Y, EDGE] = [136, 44, 48, 22, 14]

const xOf = ({ layer }: Place) => EDGE + layer * (WIDE + GAP_X)
const yOf = ({ row }: Place) => EDGE + row * (HIGH + GAP_Y)

interface Props {
  tree: Tree
  facts: FactsById
  selected: string
  select: (id: string) => void
}

export function GraphView({ tree, facts, selected, select }: Props) {
  const graph = useMemo(() => graphOf(tree, facts), [tree, facts])
  const places = useMemo(() => layoutOf(graph), [graph])
  const width = Math.max(0, ...places.map(xOf)) + WIDE + EDGE
  const height = Math.max(0, ...places.map(yOf)) + HIGH + EDGE
  const at = tree.places.get(selected) ?? -1
  const next = (node: Node) => {
    const found = node.places.indexOf(at)
    select(tree.spans[node.places[(found + 1) % node.places.length]!]!.id)
  }
  return (
    <div className="trace-scroll" role="region" aria-label="Graph of the trace" tabIndex={0}>
      <div className="graph" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden>
          <defs>
            <marker
              id="graph-tip"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerUnits="userSpaceOnUse"
              markerWidth="8"
              markerHeight="8"
              orient="auto"
            >
              <path d="M0 0l8 4-8 4z" />
            </marker>
          </defs>
          {graph.edges
            .filter(({ from, to }) => from !== to)
            .map(({ from, to, count: calls }) => {
              const { path, x, y } = curve(places[from]!, places[to]!)
              return (
                <g key={`${from} ${to}`}>
                  <path
                    d={path}
                    strokeWidth={Math.min(4, 1 + Math.log10(calls))}
                    markerEnd="url(#graph-tip)"
                  />
                  <text x={x} y={y - 4}>
                    {count(calls)}
                  </text>
                </g>
              )
            })}
        </svg>
        {graph.nodes.map((node, i) => {
          const self = graph.edges.find(({ from, to }) => from === i && to === i)?.count
          const isSelected = node.places.includes(at)
          return (
            <button
              key={node.key}
              type="button"
              className={`graph-node${isSelected ? ' selected' : ''}${node.failed > 0 ? ' failed' : ''}`}
              style={{ left: xOf(places[i]!), top: yOf(places[i]!), width: WIDE, height: HIGH }}
              aria-pressed={isSelected}
              title={`${node.name}: press again for its next call`}
              onClick={() => next(node)}
            >
              <span className="row">
                <KindIcon kind={node.kind} />
                <span className="cut">{node.name}</span>
              </span>
              <small>
                {counted(node.places.length, 'call')}
                {self !== undefined && `, ${count(self)} by itself`}
                {node.failed > 0 && `, ${count(node.failed)} failed`}
              </small>
            </button>
          )
        })}
      </div>
    </div>
  )
}

/** From the right of the caller to the left of what it calls; what is not further right is reached from below. */
function curve(from: Place, to: Place): { path: string; x: number; y: number } {
  const [x1, y1, x2, y2] = [xOf(from) + WIDE, yOf(from) + HIGH / 2, xOf(to), yOf(to) + HIGH / 2]
  if (to.layer > from.layer) {
    const bend = GAP_X / 2
    return {
      path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 2} ${y2}`,
      // Near its end, where edges of one caller are apart.
      x: x2 - bend / 2,
      y: y2 + (y1 - y2) * 0.15,
    }
  }
  const [x, y, xTo, yTo] = [xOf(from) + WIDE / 2, yOf(from) + HIGH, xOf(to) + WIDE / 2, yOf(to) + HIGH]
  const low = Math.max(y, yTo) + GAP_Y - 4
  return {
    path: `M${x} ${y}C${x} ${low + 14} ${xTo} ${low + 14} ${xTo} ${yTo + 2}`,
    x: (x + xTo) / 2,
    y: low + 10,
  }
}
