/**
 * The engine's server configuration: what bounds its memory and makes inserts durable. Pure.
 */

/** What a whole engine may hold, in bytes, where nothing else is said. */
export const defaultMaxMemory = 600 * 1024 * 1024

/** Free memory for each thread of a query that reads in several: each may hold all groups of an aggregation. */
const THREAD_BYTES = 128 * 1024 * 1024

/**
 * The configuration as the engine reads it (XML).
 * @param maxMemoryBytes ceiling for all queries, merges and caches together.
 */
export function engineConfig(maxMemoryBytes: number): string {
  const share = (part: number): number => Math.floor(maxMemoryBytes * part)
  return element('clickhouse', {
    max_server_memory_usage: maxMemoryBytes,
    max_server_memory_usage_to_ram_ratio: 0.9,
    // No merge or mutation starts while others hold this much: readers and writers need the rest.
    merges_mutations_memory_usage_soft_limit: share(0.5),
    // Caches count towards the ceiling.
    mark_cache_size: share(0.1),
    primary_index_cache_size: share(0.05),
    index_mark_cache_size: share(0.02),
    uncompressed_cache_size: 0,
    index_uncompressed_cache_size: 0,
    query_condition_cache_size: share(0.02),
    mmap_cache_size: 0,
    compiled_expression_cache_size: share(0.02),
    vector_similarity_index_cache_size: 0,
    text_index_tokens_cache_size: share(0.01),
    text_index_header_cache_size: share(0.01),
    text_index_postings_cache_size: share(0.01),
    iceberg_metadata_files_cache_size: 0,
    parquet_metadata_cache_size: 0,
    background_pool_size: 2,
    background_merges_mutations_concurrency_ratio: 2,
    background_schedule_pool_size: 8,
    // A table that has nothing to do is looked at this often, and what its merges replaced is removed then; up to ten
    // minutes by default, in which a folder holds most rows twice.
    background_processing_pool_task_sleep_seconds_when_no_work_max: 30,
    // How fast it gets there, from a tenth of a second; an insert wakes it at once. By the default of 1.1 our 75 tables
    // together are looked at 6,000 times in the first minute.
    background_processing_pool_task_sleep_seconds_when_no_work_multiplier: 2,
    background_common_pool_size: 2,
    background_move_pool_size: 1,
    background_fetches_pool_size: 1,
    background_buffer_flush_schedule_pool_size: 1,
    background_message_broker_schedule_pool_size: 1,
    background_distributed_schedule_pool_size: 1,
    max_thread_pool_size: 512,
    max_thread_pool_free_size: 16,
    max_io_thread_pool_size: 16,
    max_io_thread_pool_free_size: 4,
    max_format_parsing_thread_pool_size: 8,
    // BACKUP and RESTORE reach every folder that this process may; who has the password can read files anyway.
    backups: { allowed_path: '/' },
    merge_tree: {
      fsync_after_insert: 1,
      fsync_part_directory: 1,
      // What a merge or a mutation makes is on disk before its sources go.
      min_rows_to_fsync_after_merge: 1,
      min_compressed_bytes_to_fsync_after_merge: 1,
      // Nothing here is planned by statistics of columns, and they are a seventh of what an insert costs.
      auto_statistics_types: '',
      // Skip indexes of a small part in one file: each file costs an fsync, and an inode that was free long enough.
      packed_skip_index_max_bytes: 256 * 1024,
      // A merge may take what the ceiling leaves, not what the disk has.
      max_bytes_to_merge_at_max_space_in_pool: 10 * 1024 ** 3,
      merge_max_block_size_bytes: 4 * 1024 * 1024,
      // Buffers of columns grow as they fill. By default each column of a part that is written has 1 MiB from the start: a
      // part of calls takes 270 MB, and three at once, rewritten without what has expired, are beyond the ceiling.
      min_columns_to_activate_adaptive_write_buffer: 20,
    },
  })
}

/**
 * Settings that every connection starts with; a request may set them otherwise.
 * @param inMemory whether the data folder lies in a memory file system.
 */
export function baseSettings(maxMemoryBytes: number, inMemory: boolean): Record<string, string> {
  return {
    // By default a thread reads what the page cache hasn't got. A memory file system can't tell (no RWF_NOWAIT), so
    // every column goes through a thread: 14 ms of processor instead of 8 for a row of 60 columns.
    ...(inMemory && { local_filesystem_read_method: 'pread' }),
    async_insert: '0',
    implicit_select: '0',
    // A block is also what a stream hands over at once; the default makes 90 MB of wide rows.
    max_block_size: '8192',
    // By default a query reads in one thread where less than 1 GiB is free for each: always, below our ceiling.
    max_threads_min_free_memory_per_thread: String(THREAD_BYTES),
    // One query can't take what inserts and merges need.
    max_memory_usage: String(Math.floor(maxMemoryBytes * 0.6)),
  }
}

type Values = { [name: string]: string | number | Values }

function element(name: string, value: string | number | Values): string {
  const body =
    typeof value === 'object'
      ? `\n${Object.entries(value)
          .map(([child, inner]) => element(child, inner))
          .join('')}`
      : String(value)
  return `<${name}>${body}</${name}>\n`
}
