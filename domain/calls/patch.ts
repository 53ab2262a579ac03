/**
 * Deletes rows of calls by patches, never mutations. A patch applies when its statement returns; it rewrites nothing.
 */
export const BY_PATCH = { lightweight_delete_mode: 'lightweight_update_force' } as const
