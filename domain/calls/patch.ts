/** How rows of calls are taken away: patches, never mutations. A patch is there when its statement returns and rewrites nothing. */
export const BY_PATCH = { lightweight_delete_mode: 'lightweight_update_force' } as const
