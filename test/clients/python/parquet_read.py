"""Reads exported calls as their users do: with DuckDB and with Polars, by a glob."""

import guard  # noqa: F401  (first: refuses what leaves this machine)

import os

import duckdb
import polars
from result import report

files = os.environ['FILES'] + '/calls/**/*.parquet'
project = os.environ['PROJECT']

(calls, ids, first, total) = duckdb.execute(
    """SELECT count(*), count(DISTINCT id), epoch_ms(min(started_at)), sum(CAST(inputs->>'n' AS BIGINT))
    FROM read_parquet(?) WHERE project = ?""",
    [files, project],
).fetchone()
frame = polars.scan_parquet(files).filter(polars.col('project') == project)
by_name = frame.group_by('display_name').agg(polars.len().alias('calls')).collect().to_dicts()
latency = frame.select(polars.col('latency_ms').mean()).collect().item()

report(
    {
        'calls': calls,
        'ids': ids,
        'first': first,
        'total': int(total),
        'byName': {row['display_name']: row['calls'] for row in by_name},
        'latency': latency,
    }
)
