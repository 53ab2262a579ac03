-- Whom a call served and whether it is the turn of a thread, so that threads and end users are listed without reading texts
-- and ids. The engine makes both of what is sent, and of rows that were there before in the background. The end user is the
-- first of several spellings that is a text or a number; nearly always the decoder's, whose text is cut out of the JSON.
-- The engine can't read JSON with very large numbers, so they become texts first. Calls that ended lately are found by when.

ALTER TABLE calls {on_cluster}
  ADD COLUMN IF NOT EXISTS end_user String DEFAULT multiIf(
    has_user = 0 AND positionCaseInsensitive(attributes, 'user') = 0, '',
    startsWith(JSONExtractRaw(attributes, 'user_id') AS said, '"') AND said != '""' AND position(said, '\\') = 0, substring(said, 2, length(said) - 2),
    arrayFirst(text -> text != '', arrayMap(at -> if(JSONType(at.1, at.2) IN ('Object', 'Array', 'Bool', 'Null'), '', JSONExtractString(at.1, at.2)),
      arrayMap(path -> (if(path.1 = '', if(isValidJSON(attributes), attributes, replaceAll(replaceAll(replaceRegexpAll(attributes,
        '("(?:[^"\\\\]|\\\\.)*")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})',
        '\\1\x01\\2\x01'), '\x01\x01', ''), '\x01', '"')) AS document, JSONExtractRaw(document, path.1)), path.2),
        [('', 'user_id'), ('', 'userId'), ('', 'user'), ('user', 'id'), ('', 'user.id'), ('enduser', 'id'), ('', 'enduser.id'),
          ('', 'langfuse.user.id'), ('metadata', 'user_id'), ('platform', 'user_id')]))))
    COMMENT 'whom the observed application served; empty: the attributes don''t say' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS is_turn UInt8 DEFAULT thread_id != '' AND id = turn_id COMMENT '1: a turn of a thread' CODEC(ZSTD(1));
ALTER TABLE calls {on_cluster}
  ADD INDEX IF NOT EXISTS by_end_user end_user TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_ended_at ended_at TYPE minmax GRANULARITY 1;
ALTER TABLE calls {on_cluster}
  MATERIALIZE COLUMN end_user, MATERIALIZE COLUMN is_turn, MATERIALIZE INDEX by_end_user, MATERIALIZE INDEX by_ended_at;
ALTER TABLE calls_open {on_cluster}
  ADD COLUMN IF NOT EXISTS end_user String DEFAULT multiIf(
    has_user = 0 AND positionCaseInsensitive(attributes, 'user') = 0, '',
    startsWith(JSONExtractRaw(attributes, 'user_id') AS said, '"') AND said != '""' AND position(said, '\\') = 0, substring(said, 2, length(said) - 2),
    arrayFirst(text -> text != '', arrayMap(at -> if(JSONType(at.1, at.2) IN ('Object', 'Array', 'Bool', 'Null'), '', JSONExtractString(at.1, at.2)),
      arrayMap(path -> (if(path.1 = '', if(isValidJSON(attributes), attributes, replaceAll(replaceAll(replaceRegexpAll(attributes,
        '("(?:[^"\\\\]|\\\\.)*")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})',
        '\\1\x01\\2\x01'), '\x01\x01', ''), '\x01', '"')) AS document, JSONExtractRaw(document, path.1)), path.2),
        [('', 'user_id'), ('', 'userId'), ('', 'user'), ('user', 'id'), ('', 'user.id'), ('enduser', 'id'), ('', 'enduser.id'),
          ('', 'langfuse.user.id'), ('metadata', 'user_id'), ('platform', 'user_id')])))),
  ADD COLUMN IF NOT EXISTS is_turn UInt8 DEFAULT thread_id != '' AND id = turn_id;
