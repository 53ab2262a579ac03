/** The cache of what the screens have read. Knows no screen. */
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

export class AppQueryClient extends QueryClient {
  /**
   * Reads anew what has changed. The library goes on with a first read that is under way, which may have begun before
   * the change: it is read once more.
   */
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const begun = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.fetchStatus !== 'idle' && state.data === undefined)
    await super.invalidateQueries(filters, options)
    if (begun.length > 0) await super.invalidateQueries({ predicate: (one) => begun.includes(one) }, options)
  }
}
