/**
 * The words that mean something in a statement. A word that is none of these is a name, and is written in quotes: so
 * SETTINGS, FORMAT, INTO, APPLY and all that is not here can't be said. Pure.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Where a value may begin: what begins one, or stands before it. A value follows. */
export const BEFORE_VALUE = words('NOT DISTINCT CASE EXISTS SELECT WITH RECURSIVE FROM INTERVAL')

/** Where a value may begin: what is one. */
export const VALUES = words('NULL TRUE FALSE NAN INF')

/** Behind a value: what another value follows. */
export const BETWEEN_VALUES = words(`
  AND OR NOT IN LIKE ILIKE BETWEEN DIV MOD AS FROM WHERE PREWHERE HAVING QUALIFY BY ON USING WHEN THEN ELSE LIMIT OFFSET
  UNION EXCEPT INTERSECT ALL DISTINCT SELECT JOIN WITH GLOBAL IS GROUP ORDER PARTITION WINDOW OVER FILTER ROWS RANGE STEP
  REPLACE`)

/** Behind a value: what no value follows, or what belongs to the next of these words. */
export const AFTER_VALUE = words(`
  END ASC ASCENDING DESC DESCENDING NULLS FIRST LAST FILL TOTALS TIES
  ARRAY LEFT RIGHT INNER OUTER FULL CROSS SEMI ANTI ANY ASOF
  SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR
  PRECEDING FOLLOWING UNBOUNDED CURRENT ROW`)

/** What stands where a value could, and is followed by none: `ROWS UNBOUNDED PRECEDING`, `GROUP BY ALL`, `WITH TOTALS`. */
export const IN_PLACE_OF_VALUES = words('UNBOUNDED CURRENT ALL TOTALS ROLLUP CUBE FILL TIES')

/** Behind these BY is part of the language. */
export const BEFORE_BY = words('GROUP ORDER PARTITION')

/** What ends a FROM clause. */
export const ENDS_FROM = words(
  'WHERE PREWHERE GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET UNION EXCEPT INTERSECT SELECT',
)

/** Between two queries. */
export const SET_OPERATIONS = words('UNION EXCEPT INTERSECT')

/** Types that a value may be cast to, and a parameter may have. */
export const TYPES = words(`
  String FixedString Bool UInt8 UInt16 UInt32 UInt64 UInt128 UInt256 Int8 Int16 Int32 Int64 Int128 Int256 Float32 Float64
  Decimal Decimal32 Decimal64 Decimal128 Date Date32 DateTime DateTime64 UUID Nullable LowCardinality Array Tuple Map
  Int Integer BigInt Float Double Text Varchar Boolean Timestamp`)

/** What users look for that is not there, and why. */
export const MISSED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'INSERT UPDATE DELETE ALTER CREATE DROP TRUNCATE RENAME GRANT REVOKE SET USE SYSTEM KILL OPTIMIZE ATTACH DETACH EXCHANGE BACKUP RESTORE MOVE UNDROP'
      .split(' ')
      .map((word) => [word, 'a statement only reads; write SELECT']),
  ),
  ...Object.fromEntries(
    'EXPLAIN SHOW DESCRIBE DESC EXISTS CHECK'.split(' ').map((word) => [word, 'write SELECT']),
  ),
  SETTINGS: 'a statement has no settings; limits are a field of the request',
  FORMAT: 'choose the format in the request',
  INTO: 'the result is the answer; send it where you want it',
  APPLY: 'write out the columns',
  FINAL: 'each row is there once already',
  SAMPLE: 'filter by cityHash64(id) % 10 = 0',
}
