import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, readInBody, shortText, timeOut } from './shared.js'
import { callTotals, callTotalsAsked, totalsOfList } from './threads.js'

const END_USER_SORTS = [
  ...(['end_user', 'thread_count', 'call_count', 'error_count', 'total_tokens', 'total_cost'] as const),
  ...(['first_seen', 'last_seen'] as const),
] as const

const EndUsersQueryReq = component('EndUsersQueryReq', {
  ...callTotalsAsked,
  end_users: z.array(shortText).max(1000).default([]).describe('empty: any'),
  text: shortText.default('').describe('part of the end user, in any case'),
  sort_by: z
    .array(
      component('EndUsersSortBy', {
        field: z.enum(END_USER_SORTS),
        direction: z.enum(['asc', 'desc']).default('desc'),
      }),
    )
    .max(20)
    .default([])
    .describe('default: last_seen'),
})
export type EndUsersQueryReq = z.output<typeof EndUsersQueryReq>

export const EndUser = component('EndUser', {
  end_user: z.string(),
  thread_count: z.int(),
  first_seen: timeOut,
  last_seen: timeOut,
  ...callTotals,
})
export type EndUser = z.output<typeof EndUser>

export const endUsersQuery = route({
  ...readInBody,
  id: 'end_users_query',
  path: '/end_users/query',
  tag: 'Threads',
  summary: 'List the end users that calls name, with what their calls add up to',
  body: EndUsersQueryReq,
  answer: component('EndUsersQueryRes', { end_users: z.array(EndUser), ...totalsOfList }),
})
