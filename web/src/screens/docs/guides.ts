/** The guides of docs/: their titles, and the text of each, which is loaded when it is read. */
import { queryOptions } from '@tanstack/react-query'
import { loaded } from '../../app/connection'

/** The folders, in the order of the list. */
const GROUPS = {
  frameworks: 'Send traces',
  guides: 'Use and train',
  operate: 'Operate',
  runbooks: 'Runbooks',
} as const

const titles = import.meta.glob<string>('../../../../docs/{frameworks,guides,operate,runbooks}/*.md', {
  query: '?title',
  import: 'default',
  eager: true,
})
const texts = import.meta.glob<string>('../../../../docs/{frameworks,guides,operate,runbooks}/*.md', {
  query: '?raw',
  import: 'default',
})

/** `guides/sft` of `../../../../docs/guides/sft.md` */
const pathOf = (file: string) => file.replace(/^.*\/docs\//, '').replace(/\.md$/, '')

const textOf = new Map(Object.entries(texts).map(([file, load]) => [pathOf(file), load]))

/** By their folders; of each, the one that leads to the others is the first. */
export const guides = Object.entries(GROUPS).flatMap(([folder, group]) =>
  Object.entries(titles)
    .map(([file, title]) => ({ path: pathOf(file), title, group }))
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .sort((a, b) => Number(b.path.endsWith('/README')) - Number(a.path.endsWith('/README'))),
)

export const isGuide = (path: string): boolean => textOf.has(path)

/** @param path as `guides/sft`; the query fails if there is none */
export const guideQuery = (path: string) =>
  queryOptions({
    queryKey: ['guide', path],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const load = textOf.get(path)
      if (load === undefined) throw new Error('There is no guide at this address. Choose one of the list.')
      return loaded(load)
    },
  })
