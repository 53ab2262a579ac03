/**
 * Prompts of Langfuse's SDKs: objects of the class Prompt, whose aliases are the labels and whose tags are the tags.
 */
import type {
  LangfusePrompt,
  LangfusePromptCreate,
  LangfusePromptMeta,
  LangfusePromptQuery,
} from '../../../contract/langfuse-prompts.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { objsQuery } from '../../../contract/objects.js'
import { errors } from '../../../platform/errors/catalog.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { storedTree, treeValue } from '../../../platform/json/tree.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import type { Author, Publisher } from '../../evaluation/publish.js'
import { deleteVersions } from '../../objects/delete.js'
import type { Labels } from '../../objects/labels.js'
import { listVersions } from '../../objects/list.js'
import { checkAliases } from '../../objects/selection.js'
import { wireValues } from '../../objects/values.js'
import { keyOf, type Version } from '../../objects/versions.js'
import type { Parts } from '../../parts.js'
import { langfuseNameOf, objectIdOf } from '../name.js'
import { promptTest } from './filter.js'
import { type Choice, resolved } from './resolve.js'
import { PROMPT_CLASSES, type PromptValue, promptValue, readPromptValue } from './value.js'

const DEFAULT_LABEL = 'production'
const LATEST = 'latest'

export class Prompts {
  constructor(
    private readonly parts: Parts,
    private readonly publisher: Publisher,
  ) {}

  /** Publishes a version; what is the same as a former version is that one. */
  async create(author: Author, given: LangfusePromptCreate): Promise<LangfusePrompt> {
    const isChat = given.type === 'chat'
    if (isChat === (typeof given.prompt === 'string'))
      throw errors.badRequest(
        `The prompt of a ${isChat ? 'chat should be a list of messages' : 'text should be a text'}.`,
      )
    const labels = wantedLabels([...(given.labels ?? []), ...(given.isActive ? [DEFAULT_LABEL] : [])])
    const { project, userId } = author
    const id = objectIdOf(given.name)
    const draft = {
      id: `${id}:new`,
      name: given.name,
      version: 0,
      type: given.type ?? 'text',
      prompt: given.prompt,
    }
    await resolved(draft, (name, choice) => this.find(project, name, choice))
    const digest = await this.publisher.object(author, id, promptValue(given))
    const version = await this.publisher.version(author, id, digest)
    if (labels.length > 0) await this.parts.labels.setAliases(version, labels, userId)
    if (given.tags) await this.setTags(version, given.tags, userId)
    return this.view(project, version)
  }

  /** A version as Langfuse shows it, with the prompts that it names. @throws 404 */
  async read(project: string, name: string, choice: Choice, resolve: boolean): Promise<LangfusePrompt> {
    const found = await this.find(project, name, choice)
    if (found === undefined) throw errors.notFound(described(name, choice))
    if (!resolve) return found
    const { prompt, graph } = await resolved(found, (part, of) => this.find(project, part, of))
    return { ...found, prompt, resolutionGraph: graph }
  }

  /** Gives labels to a version. @throws 404 */
  async label(
    { project, userId }: Author,
    name: string,
    index: number,
    labels: readonly string[],
  ): Promise<LangfusePrompt> {
    const version = await this.version(project, name, { version: index })
    if (version === undefined) throw errors.notFound(described(name, { version: index }))
    await this.parts.labels.setAliases(version, wantedLabels(labels), userId)
    return this.view(project, version)
  }

  /** Deletes the chosen version, or all. @throws 404 if there is none */
  async remove(project: string, name: string, choice: Choice): Promise<void> {
    const isAll = choice.version === undefined && choice.label === undefined
    const chosen = isAll ? undefined : await this.version(project, name, choice)
    if (!isAll && chosen === undefined) throw errors.notFound(described(name, choice))
    await deleteVersions(this.parts, {
      ...{ project: projectIdOf(project), object: objectIdOf(name), isMeant: isPrompt },
      names: chosen === undefined ? [] : [chosen.digest],
    })
  }

  /** A page of prompts by name; what the query says leaves out versions. @throws 400 for a filter that there is not */
  async list(project: string, query: LangfusePromptQuery) {
    const { page, limit } = query
    const projectId = projectIdOf(project)
    const { labels } = this.parts
    const objects = new Map<string, Version[]>()
    for (const version of await this.fitting(projectId, query))
      objects.set(version.object_id, [...(objects.get(version.object_id) ?? []), version])
    const sorted = [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, versions]) => versions)
    const shown = sorted.slice((page - 1) * limit, page * limit)
    const values = await this.values(shown.map((versions) => versions.at(-1)!))
    const named = await Promise.all(shown.map((versions) => labels.of(projectId, versions)))
    return {
      data: shown.map((versions, i) => metaOf(versions, named[i]!, values[i])),
      meta: pageMeta(query, sorted.length),
    }
  }

  /** The versions that a query selects. Its filter, if it has one, stands for all that it says otherwise, as in Langfuse. */
  private async fitting(projectId: string, query: LangfusePromptQuery): Promise<Version[]> {
    const { filter } = query
    const { name, label, tag, fromUpdatedAt, toUpdatedAt } =
      filter === undefined ? query : ({} as typeof query)
    const asked = objsQuery.body!.parse({
      project_id: 'any/project',
      filter: {
        leaf_object_classes: PROMPT_CLASSES,
        ...(name !== undefined && { object_ids: [objectIdOf(name)] }),
        ...(label !== undefined && { aliases: [label] }),
        ...(tag !== undefined && { tags: [tag] }),
      },
    })
    const { store, limits, labels } = this.parts
    const found = await store.rows<Version>(listVersions(projectId, asked), { limits })
    if (filter === undefined)
      return found.filter(
        ({ created_at }) =>
          (fromUpdatedAt === undefined || created_at >= Date.parse(fromUpdatedAt) * 1000) &&
          (toUpdatedAt === undefined || created_at < Date.parse(toUpdatedAt) * 1000),
      )
    const test = promptTest(filter)
    const [values, named] = await Promise.all([this.values(found), labels.of(projectId, found)])
    return found.filter(({ object_id, digest, version_index, created_at }, i) => {
      const at = Math.floor(created_at / 1000)
      return test({
        ...{ id: `${object_id}:${digest}`, name: langfuseNameOf(object_id, values[i]?.name) },
        ...{ type: values[i]?.type ?? 'text', version: version_index + 1, createdAt: at, updatedAt: at },
        ...{ labels: named[i]!.aliases, tags: named[i]!.tags, config: values[i]?.config },
      })
    })
  }

  private async find(project: string, name: string, choice: Choice): Promise<LangfusePrompt | undefined> {
    const version = await this.version(project, name, choice)
    return version && this.view(project, version)
  }

  /** The live version with a number or a label; neither: the one in production. */
  private async version(project: string, name: string, choice: Choice): Promise<Version | undefined> {
    const { version: number, label = DEFAULT_LABEL } = choice
    const wanted = number === undefined ? label : `v${number - 1}`
    const version = await this.parts.finder.find(projectIdOf(project), objectIdOf(name), wanted)
    return version !== undefined && version.deleted_at === 0 && isPrompt(version) ? version : undefined
  }

  private async view(project: string, version: Version): Promise<LangfusePrompt> {
    const [values, all] = await Promise.all([this.values([version]), this.labelsOf(version)])
    const value = values[0]
    if (value === undefined)
      throw errors.badRequest(`The object ${version.object_id} can't be read as a prompt.`)
    const at = isoOfMicros(version.created_at)
    return {
      ...{ id: `${version.object_id}:${version.digest}`, projectId: project },
      ...{ name: langfuseNameOf(version.object_id, value.name), version: version.version_index + 1 },
      ...{ type: value.type, prompt: value.prompt, config: value.config },
      ...{ labels: all.labels, tags: all.tags, commitMessage: value.commitMessage, resolutionGraph: null },
      ...{ createdBy: version.user_id, createdAt: at, updatedAt: at },
    }
  }

  /** The labels of a version, and the tags of all versions. */
  private async labelsOf(version: Version): Promise<{ labels: string[]; tags: string[] }> {
    const versions = await this.versionsOf(version)
    const all = await this.parts.labels.of(version.project_id, versions)
    const own = versions.findIndex(({ digest }) => digest === version.digest)
    return { labels: all[own]?.aliases ?? [], tags: tagsOf(all) }
  }

  /** The live versions of the same prompt. */
  private versionsOf({ project_id, object_id }: Version): Promise<Version[]> {
    const asked = objsQuery.body!.parse({ project_id: 'any/project', filter: { object_ids: [object_id] } })
    return this.parts.store.rows<Version>(listVersions(project_id, asked))
  }

  /** Lets the prompt have these tags and no others. */
  private async setTags(version: Version, tags: readonly string[], userId: string): Promise<void> {
    const { labels } = this.parts
    const versions = await this.versionsOf(version)
    const all = await labels.of(version.project_id, versions)
    const gone = versions.map((one, i) => [one, all[i]!.tags.filter((tag) => !tags.includes(tag))] as const)
    await Promise.all(gone.map(([one, some]) => labels.tag(one, some, false, userId)))
    await labels.tag(version, [...new Set(tags)], true, userId)
  }

  private async values(versions: readonly Version[]): Promise<(PromptValue | undefined)[]> {
    const texts = await wireValues(this.parts, versions.map(keyOf))
    return texts.map((text) => readPromptValue(treeValue(storedTree(text))))
  }
}

const isPrompt = ({ leaf_class }: Version) => PROMPT_CLASSES.includes(leaf_class)
const tagsOf = (all: readonly Labels[]) => [...new Set(all.flatMap(({ tags }) => tags))].sort()

/** `latest` is the version that was written last, whoever asks for it. */
function wantedLabels(labels: readonly string[]): string[] {
  const wanted = [...new Set(labels)].filter((label) => label !== LATEST)
  checkAliases(wanted)
  return wanted
}

function described(name: string, { version, label = DEFAULT_LABEL }: Choice): string {
  return `The prompt "${name.slice(0, 300)}" with ${version === undefined ? `the label ${label}` : `version ${version}`}`
}

function metaOf(
  versions: readonly Version[],
  labels: readonly Labels[],
  value: PromptValue | undefined,
): LangfusePromptMeta {
  const last = versions.at(-1)!
  return {
    ...{ name: langfuseNameOf(last.object_id, value?.name), type: value?.type ?? 'text' },
    versions: versions.map(({ version_index }) => version_index + 1).sort((a, b) => a - b),
    labels: labels.flatMap(({ aliases }) => aliases).sort(),
    tags: tagsOf(labels),
    lastUpdatedAt: isoOfMicros(Math.max(...versions.map(({ created_at }) => created_at))),
    lastConfig: value?.config ?? {},
  }
}
