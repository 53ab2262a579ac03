/** Classes of stored views: saved views, comparisons, leaderboards, dashboards. */
import { JsonNumber, type JsonTree } from '../../../platform/json/tree.js'
import { type Fields, maybe, model, optional, plain, required } from './model.js'
import { CallsFilter, Query, SortBy } from './query-classes.js'
import {
  between,
  filled,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  record,
  type Shape,
  ShapeError,
  text,
  union,
} from './shape.js'

export const objectFields: Fields = { name: optional(nullable(text)), description: optional(nullable(text)) }
const object = (name: string, fields: Fields): Shape =>
  model(name, { ...objectFields, ...fields }, { bases: ['BaseObject', 'BaseModel'] })
const texts = list(text)

export const Leaderboard = object('Leaderboard', {
  columns: required(
    list(
      plain('LeaderboardColumn', {
        evaluation_object_ref: required(text),
        scorer_name: required(text),
        summary_metric_path: required(text),
        should_minimize: maybe(flag),
      }),
    ),
  ),
})

export const ComparisonView = object('ComparisonView', {
  label: required(text),
  definition: required(
    plain('ComparisonViewDefinition', {
      evaluation_call_ids: required(texts),
      selected_metrics: maybe(texts),
      column_visibility: maybe(record(flag)),
    }),
  ),
})

const ChartConfig = plain('ChartConfig', {
  x_axis: required(text),
  y_axis: required(text),
  plot_type: maybe(oneOf('scatter', 'line', 'bar')),
  bin_count: maybe(integer),
  aggregation: maybe(oneOf('average', 'sum', 'min', 'max', 'p95', 'p99')),
  group_keys: maybe(texts),
  custom_name: maybe(text),
})

const ObjectConfig = plain('ObjectConfig', {
  version_groups: maybe(
    list(
      plain('ObjectVersionGroup', {
        label: required(text),
        base_ref: required(text),
        versions: required(union('should be a list of strings or "*"', texts, oneOf('*'))),
        show_version_indicator: required(flag),
      }),
    ),
  ),
  display_name_map: maybe(record(text)),
  deselected: maybe(texts),
})

const DynamicLeaderboardConfig = plain('DynamicLeaderboardConfig', {
  model_configuration: maybe(ObjectConfig),
  dataset_configuration: maybe(ObjectConfig),
  scorer_configuration: maybe(ObjectConfig),
  columns_configuration: maybe(
    list(
      plain('DynamicLeaderboardColumnConfig', {
        evaluation_object_ref: maybe(text),
        scorer_name: maybe(text),
        display_name: maybe(text),
        summary_metric_path: maybe(text),
        should_minimize: maybe(flag),
        deselected: maybe(flag),
      }),
    ),
  ),
})

export const SavedView = object('SavedView', {
  view_type: required(text),
  label: required(text),
  definition: required(
    plain('SavedViewDefinition', {
      filter: maybe(CallsFilter),
      query: maybe(Query),
      cols: maybe(record(flag)),
      columns: maybe(
        list(
          plain('Column', {
            path: maybe(list(union('should be a string or a whole number', text, integer))),
            label: maybe(text),
          }),
        ),
      ),
      column_order: maybe(texts),
      expand_columns: maybe(texts),
      header_depth: maybe(integer),
      pin: maybe(plain('Pin', { left: required(texts), right: required(texts) })),
      sort_by: maybe(list(SortBy)),
      page: maybe(integer),
      page_size: maybe(integer),
      charts: maybe(list(ChartConfig)),
      dataset_selector: maybe(text),
      evaluation_selector: maybe(text),
      dynamic_leaderboard_config: maybe(DynamicLeaderboardConfig),
    }),
  ),
})

const GRID = 24
const dashboard = (
  name: string,
  fields: Fields,
  between_: readonly string[] = [],
  check?: (fields: Map<string, JsonTree>, at: string) => void,
): Shape =>
  model(name, fields, {
    bases: [...between_, 'DashboardConfigModel', 'BaseModel'],
    closed: true,
    ...(check && { check }),
  })

const PanelGridLayout = dashboard(
  'PanelGridLayout',
  {
    x: required(between(0, GRID - 1)),
    y: required(between(0)),
    w: required(between(1, GRID)),
    h: required(between(1)),
  },
  [],
  (fields, at) => {
    const number = (name: string) => Number((fields.get(name) as JsonNumber).text)
    if (number('x') + number('w') > GRID) throw new ShapeError(at, `goes beyond the grid of ${GRID} columns`)
  },
)

const queryFields: Fields = {
  version: optional(between(1, 1), new JsonNumber('1')),
  metric: required(filled),
  filter: optional(text, ''),
  format: maybe(oneOf('number', 'percent', 'cost', 'duration')),
}
const MOST_GROUPS = 50
const queries: Record<string, Fields> = {
  Kpi: queryFields,
  Timeline: { ...queryFields, groupBy: maybe(text), limit: maybe(between(1, MOST_GROUPS)) },
  Breakdown: {
    ...queryFields,
    groupBy: required(filled),
    limit: optional(between(1, MOST_GROUPS), new JsonNumber('6')),
  },
}

const panels = Object.entries(queries).map(([kind, fields]) =>
  dashboard(
    `${kind}DashboardPanel`,
    {
      id: required(filled),
      layout: required(PanelGridLayout),
      panel_type: required(oneOf(kind.toLowerCase())),
      settings: required(
        dashboard(`${kind}PanelSettings`, {
          query: required(dashboard(`${kind}PanelQueryConfig`, fields, ['PanelQueryConfig'])),
          title: maybe(text),
        }),
      ),
    },
    ['DashboardPanelBase'],
  ),
)

export const AgentDashboard = object('AgentDashboard', {
  label: required(text),
  definition: required(
    dashboard('AgentDashboardDefinition', {
      panels: required(list(union('should be a panel: kpi, timeline or breakdown', ...panels))),
    }),
  ),
})
