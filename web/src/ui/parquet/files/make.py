"""Writes the Parquet files of parquet.test.ts, with pyarrow, duckdb and polars: python make.py"""

import datetime as dt
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent
UTC = dt.timezone.utc
AT = dt.datetime(2026, 1, 2, 3, 4, 5, 678901)

schema = pa.schema(
    [
        ("q", pa.string()),
        ("kind", pa.dictionary(pa.int32(), pa.string())),
        ("n", pa.int64()),
        ("u", pa.uint64()),
        ("small", pa.int8()),
        ("score", pa.float64()),
        ("ratio", pa.float32()),
        ("on", pa.bool_()),
        ("at", pa.timestamp("us", tz="UTC")),
        ("local", pa.timestamp("ms")),
        ("precise", pa.timestamp("ns", tz="UTC")),
        ("day", pa.date32()),
        ("clock", pa.time64("us")),
        ("price", pa.decimal128(9, 2)),
        ("wide", pa.decimal128(38, 3)),
        ("bytes", pa.binary()),
        ("tags", pa.list_(pa.string())),
        ("grid", pa.list_(pa.list_(pa.int64()))),
        ("who", pa.struct([("name", pa.string()), ("ids", pa.list_(pa.int64()))])),
        ("messages", pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))),
        ("labels", pa.map_(pa.string(), pa.int64())),
        ("constructor", pa.string()),
    ]
)
full = {
    "q": "Wo ist 北京? 🙂",
    "kind": "a",
    "n": 2**53 + 1,
    "u": 2**64 - 1,
    "small": -7,
    "score": 0.1,
    "ratio": 0.1,
    "on": True,
    "at": AT.replace(tzinfo=UTC),
    "local": AT.replace(microsecond=678000),
    "precise": AT.replace(tzinfo=UTC),
    "day": dt.date(1969, 12, 31),
    "clock": dt.time(23, 59, 59, 5),
    "price": Decimal("19.99"),
    "wide": Decimal("-12345678901234567890.123"),
    "bytes": b"\xff\x00",
    "tags": ["x", None, ""],
    "grid": [[1, 2], [], [3]],
    "who": {"name": "Ada", "ids": [1, 2]},
    "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": None}],
    "labels": [("a", 1), ("b", 2)],
    "constructor": "c",
}
empty = dict.fromkeys(schema.names)
other = {
    **full,
    "kind": "b",
    "n": -5,
    "u": 3,
    "score": float("nan"),
    "on": False,
    "at": dt.datetime(1950, 1, 1, tzinfo=UTC),
    "price": Decimal("-0.50"),
    "wide": Decimal("7"),
    "bytes": b"text",
    "tags": [],
    "grid": [],
    "who": {"name": None, "ids": None},
    "messages": [],
    "labels": [],
}
table = pa.Table.from_pylist([full, empty, other], schema=schema)
for codec in ("none", "snappy", "gzip", "zstd", "brotli", "lz4"):
    pq.write_table(table, HERE / f"{codec}.parquet", compression=codec, write_statistics=False, store_schema=False)
# Pages of the second kind, with the encodings of newer writers.
names = ["q", "n", "score", "on", "tags", "who"]
pq.write_table(
    table.select(names),
    HERE / "v2.parquet",
    compression="zstd",
    data_page_version="2.0",
    use_dictionary=False,
    column_encoding={
        "q": "DELTA_BYTE_ARRAY",
        "n": "DELTA_BINARY_PACKED",
        "score": "BYTE_STREAM_SPLIT",
    },
)
# As older writers have it: times of twelve bytes, dictionaries, many groups of rows, an index.
count = 300
pq.write_table(
    pa.table(
        {
            "i": pa.array(range(count)),
            "word": pa.array([["loom", "weft", None][i % 3] for i in range(count)]),
            "at": pa.array([AT] * count, pa.timestamp("ns")),
            "__index_level_0__": pa.array(range(count)),
        }
    ),
    HERE / "groups.parquet",
    version="1.0",
    compression="snappy",
    use_deprecated_int96_timestamps=True,
    row_group_size=100,
    data_page_size=64,
    write_batch_size=16,
    write_statistics=False,
    store_schema=False,
)
duckdb.sql(
    """COPY (SELECT unnest([1, 2]) AS id, uuid '6ba7b810-9dad-11d1-80b4-00c04fd430c8' AS uuid,
      interval '1 month 2 days 1500 ms' AS gap, json '{"a": [1, null]}' AS json,
      'high'::enum ('low', 'high') AS level, 1.10::decimal(4, 2) AS price, map {'k': [1.5]} AS map,
      '\\x00\\xFE'::blob AS blob, [{'a': 1}, NULL] AS list, date '2026-01-02' AS day,
      timestamptz '2026-01-02 03:04:05+00' AS at) TO '{}' (FORMAT parquet)""".replace("{}", str(HERE / "duckdb.parquet"))
)
pl.DataFrame(
    {"q": ["a", None], "tags": [["x"], []], "who": [{"n": 1}, None], "at": [AT, None], "kind": ["u", "v"]},
    schema_overrides={"kind": pl.Categorical},
).write_parquet(HERE / "polars.parquet", statistics=False)
