/** Where the attributes of a call may say whose it is. */

/** Paths in `attributes`: what spans say, as it is stored, and what programs write themselves. */
export const USER_KEYS: readonly (readonly string[])[] = [
  ['user_id'],
  ['userId'],
  ['user'],
  ['user', 'id'],
  ['user.id'],
  ['enduser', 'id'],
  ['enduser.id'],
  ['langfuse.user.id'],
  ['metadata', 'user_id'],
  ['platform', 'user_id'],
]
