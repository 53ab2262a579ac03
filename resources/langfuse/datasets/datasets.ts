/**
 * Datasets as Langfuse shows them: each is an object of the class Dataset, whose value also has what only Langfuse
 * knows of it.
 */

import type { DatasetCreate, LangfuseDataset } from '../../../contract/langfuse-datasets.js'
import { type NumberedPage, pageMeta } from '../../../contract/langfuse-shared.js'
import { objsQuery } from '../../../contract/objects.js'
import { refIn, refText } from '../../../contract/ref.js'
import { versions } from '../../../domain/objects/versions-sql.js'
import { tableDigest } from '../../../domain/refs/digest.js'
import { sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { JsonNumber, type JsonTree, parseTree, treeText, treeValue } from '../../../platform/json/tree.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import { classValue } from '../../evaluation/create.js'
import type { Author, Publisher } from '../../evaluation/publish.js'
import { changingObject } from '../../objects/changing.js'
import { listVersions } from '../../objects/list.js'
import { type Fields, wireFields } from '../../objects/values.js'
import { keyOf, objectsIn, type Version } from '../../objects/versions.js'
import type { Parts } from '../../parts.js'
import { RowCollector } from '../../tables/rows.js'
import type { TableKey } from '../../tables/sql.js'
import { langfuseNameOf, objectIdOf } from '../name.js'

/** One version of a dataset. */
export interface Dataset {
  project: string
  /** object id */
  id: string
  name: string
  digest: string
  /** µs since the epoch */
  created: number
  fields: Fields
  table: TableKey
  /** version of the last change of an item that it has */
  through: number
}

/** What a new version changes of a dataset. */
export interface NewVersion {
  table?: string
  through?: number
  members?: ReadonlyMap<string, JsonTree>
}

/** Members of the value that only Langfuse knows. */
const METADATA = 'metadata'
const THROUGH = 'items_through'
export const INPUT_SCHEMA = 'input_schema'
export const OUTPUT_SCHEMA = 'expected_output_schema'

export class Datasets {
  constructor(
    private readonly parts: Parts,
    private readonly publisher: Publisher,
  ) {}

  /** The newest version of the dataset `name`. @throws 404 */
  async named(project: string, name: string): Promise<Dataset> {
    const found = await this.latest(project, objectIdOf(name))
    if (found) return found
    throw errors.notFound(`The dataset "${name.slice(0, 200)}"`)
  }

  /** The newest version of the dataset with this object id. */
  async latest(project: string, id: string): Promise<Dataset | undefined> {
    const key = { project: projectIdOf(project), object: id }
    const version = await this.parts.objectReader.version({ ...key, by: 'latest' })
    return isDataset(version) ? this.of(project, version) : undefined
  }

  /** The dataset as it was. @param at µs since the epoch */
  async past(project: string, id: string, at: number): Promise<Dataset | undefined> {
    const all = await this.parts.store.rows<Version>(sql`
      SELECT * EXCEPT (live) FROM (${versions(objectsIn([{ project: projectIdOf(project), object: id }]))})
      WHERE live AND base_class = 'Dataset'`)
    const before = all.filter(({ created_at }) => created_at <= at)
    const last = before.sort((a, b) => b.version_index - a.version_index)[0]
    return last && this.of(project, last)
  }

  /** Creates the dataset, or changes what the request says of it. */
  async create(author: Author, asked: DatasetCreate): Promise<Dataset> {
    const { name, description, metadata, inputSchema, expectedOutputSchema } = asked
    const id = objectIdOf(name)
    const said = new Map<string, JsonTree>()
    const say = (key: string, value: unknown) => {
      if (value !== undefined && value !== null) said.set(key, parseTree(JSON.stringify(value)))
    }
    say('description', description)
    say(METADATA, metadata)
    say(INPUT_SCHEMA, inputSchema)
    say(OUTPUT_SCHEMA, expectedOutputSchema)
    return this.changing(author.project, id, async () => {
      const before = await this.latest(author.project, id)
      const isSame = [...said].every(
        ([key, value]) => before && treeText(before.fields.get(key) ?? null) === treeText(value),
      )
      if (!before || !isSame) await this.publish(author, before ?? { id, name }, { members: said })
      return (await this.latest(author.project, id))!
    })
  }

  /** Publishes a version. Hold {@link changing}. */
  async publish(
    author: Author,
    before: Dataset | Pick<Dataset, 'id' | 'name'>,
    { table, through, members = new Map() }: NewVersion,
  ): Promise<void> {
    const { project } = author
    const kept = 'fields' in before ? before : undefined
    const digest = table ?? kept?.table.digest ?? (await this.emptyTable(author))
    const own = new Map<string, JsonTree>([
      ['name', before.name],
      ['description', null],
      ...[...(kept?.fields ?? [])].filter(([key]) => !key.startsWith('_')),
      ...members,
      ['rows', refText({ project, kind: 'table', digest })],
      [THROUGH, new JsonNumber(String(through ?? kept?.through ?? 0))],
    ])
    await this.publisher.object(author, before.id, classValue('Dataset', [...own]))
  }

  /** Runs `work` while nobody else changes the dataset, in any process. @param work gets the version of its change */
  changing<T>(project: string, id: string, work: (ver: number) => Promise<T>): Promise<T> {
    return changingObject(this.parts.leases, { project: projectIdOf(project), object: id }, work)
  }

  /** A page of the project's datasets, the newest first. */
  async list(project: string, page: NumberedPage) {
    const { store } = this.parts
    const query = objsQuery.body!.parse({
      project_id: project,
      filter: { base_object_classes: ['Dataset'], latest_only: true },
      sort_by: [{ field: 'created_at', direction: 'desc' }],
    })
    const all = listVersions(projectIdOf(project), query)
    const skip = (page.page - 1) * page.limit
    const [total, found] = await Promise.all([
      store.row<{ total: number }>(sql`SELECT count() AS total FROM (${all})`),
      store.rows<Version>(listVersions(projectIdOf(project), { ...query, limit: page.limit, offset: skip })),
    ])
    const datasets = await Promise.all(found.map((version) => this.of(project, version)))
    return {
      data: await Promise.all(datasets.map((dataset) => this.view(dataset))),
      meta: pageMeta(page, Number(total?.total ?? 0)),
    }
  }

  /** A dataset as Langfuse shows it. */
  async view({ project, id, name, created, fields }: Dataset): Promise<LangfuseDataset> {
    const key = { project: projectIdOf(project), object: id }
    const first = await this.parts.objectReader.version({ ...key, by: 'index', index: 0 })
    const value = (member: string) => treeValue(fields.get(member) ?? null)
    const description = value('description')
    return {
      ...{ id, name, description: typeof description === 'string' ? description : null },
      metadata: value(METADATA),
      inputSchema: value(INPUT_SCHEMA),
      expectedOutputSchema: value(OUTPUT_SCHEMA),
      projectId: project,
      createdAt: isoOfMicros(first?.created_at ?? created),
      updatedAt: isoOfMicros(created),
    }
  }

  private async of(project: string, version: Version): Promise<Dataset> {
    const [fields] = await wireFields(this.parts, [keyOf(version)])
    const rows = fields!.get('rows')
    const ref = typeof rows === 'string' ? refIn(rows) : undefined
    // Of this project alone: the value may name any table.
    const digest = ref?.kind === 'table' && ref.project === project ? ref.digest : ''
    const through = fields!.get(THROUGH)
    return {
      ...{ project, id: version.object_id, digest: version.digest },
      ...{ created: version.created_at, fields: fields! },
      name: langfuseNameOf(version.object_id, fields!.get('name')),
      table: { project: version.project_id, digest },
      through: through instanceof JsonNumber ? Number(through.text) : 0,
    }
  }

  private async emptyTable({ project, userId }: Author): Promise<string> {
    const digest = tableDigest([])
    const rows = new RowCollector(new Uint8Array()).finish()
    await this.parts.tableWriter.create(
      { project: projectIdOf(project), digest },
      new Uint32Array(),
      rows,
      userId,
    )
    return digest
  }
}

function isDataset(version: Version | undefined): version is Version {
  return version?.deleted_at === 0 && version.base_class === 'Dataset'
}
