/** The title of the page's tab: what is shown, where, and in which project. */
import { useLocation } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'
import { read } from './address'
import { screens } from './screens'

const NAME = 'Heddle'
/** Screens that are not in the navigation. */
const OTHERS: Readonly<Record<string, string>> = {
  leaderboards: 'Leaderboards',
  ops: 'Ops',
  models: 'Models',
  'compare-evaluations': 'Comparison',
}
/** Parts of addresses that name no thing: what is shown where one of them is the last. */
const STEPS: Readonly<Record<string, string>> = {
  named: '',
  versions: '',
  conversations: 'Conversations',
  compare: 'Comparison',
  new: 'New',
}

/** @param thing what the screen shows, if its address says it badly */
export function titleOf(path: string, thing?: string): string {
  const [entity = '', project = '', kind, screen = '', ...rest] = path
    .split('/')
    .slice(1)
    .map((part) => read(decoded(part)))
  if (entity === '') return NAME
  // The rest of the address is a secret.
  if (entity === 'share') return joined(thing)
  if (project === '') return joined(thing, `${entity[0]!.toUpperCase()}${entity.slice(1)}`)
  const known = screens.find(({ path: one }) => one === screen)?.title ?? OTHERS[screen]
  const where = kind === 'r' ? 'Trace' : known
  const name =
    thing ?? (rest.find((part) => part !== '' && !Object.hasOwn(STEPS, part)) || STEPS[rest.at(-1) ?? ''])
  return joined(name, where, `${entity}/${project}`)
}

const joined = (name: string | undefined, ...where: (string | undefined)[]): string =>
  [name?.slice(0, 80), ...where, NAME].filter(Boolean).join(' · ')

/** Titles the tab by its address. */
export function useTitle(): void {
  const { pathname } = useLocation()
  // Before the effects of screens, which may know better.
  useLayoutEffect(() => {
    document.title = titleOf(pathname)
  }, [pathname])
}

/** Titles the tab by what the screen shows, once it is known. */
export function useTitleOf(thing: string | undefined): void {
  const { pathname } = useLocation()
  useEffect(() => {
    if (thing !== undefined) document.title = titleOf(pathname, thing)
  }, [pathname, thing])
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
