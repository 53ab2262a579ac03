-- Whom a call served and whether it is the turn of a thread, so that threads and end users are listed without reading texts
-- and ids. The engine makes both of what is sent, and of rows that were there before in the background. The end user is the
-- first of several spellings that is a text or a number; nearly always the decoder's, whose text is cut out of the JSON. Each
-- block of an insert pays for what stands here: ADR 0060. Where the engine can't read the JSON, for a very large number,
-- only the first spelling is looked for. Calls that ended lately are found by when they ended.

ALTER TABLE calls {on_cluster}
  ADD COLUMN IF NOT EXISTS end_user String DEFAULT multiIf(
    has_user = 0 AND positionCaseInsensitive(attributes, 'user') = 0, '',
    startsWith(JSONExtractRaw(attributes, 'user_id') AS said, '"') AND said != '""' AND position(said, '\\') = 0, substring(said, 2, length(said) - 2),
    startsWith(arrayFirst(one -> substring(one, 1, 1) IN ('"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9') AND one != '""', [
      said, JSONExtractRaw(attributes, 'userId'), JSONExtractRaw(attributes, 'user'), JSONExtractRaw(attributes, 'user', 'id'),
      JSONExtractRaw(attributes, 'user.id'), JSONExtractRaw(attributes, 'enduser', 'id'), JSONExtractRaw(attributes, 'enduser.id'),
      JSONExtractRaw(attributes, 'langfuse.user.id'), JSONExtractRaw(attributes, 'metadata', 'user_id'), JSONExtractRaw(attributes, 'platform', 'user_id'),
      if(isValidJSON(attributes), '', simpleJSONExtractRaw(attributes, 'user_id'))]) AS first_said, '"'), JSONExtractString(first_said),
    first_said)
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
    startsWith(arrayFirst(one -> substring(one, 1, 1) IN ('"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9') AND one != '""', [
      said, JSONExtractRaw(attributes, 'userId'), JSONExtractRaw(attributes, 'user'), JSONExtractRaw(attributes, 'user', 'id'),
      JSONExtractRaw(attributes, 'user.id'), JSONExtractRaw(attributes, 'enduser', 'id'), JSONExtractRaw(attributes, 'enduser.id'),
      JSONExtractRaw(attributes, 'langfuse.user.id'), JSONExtractRaw(attributes, 'metadata', 'user_id'), JSONExtractRaw(attributes, 'platform', 'user_id'),
      if(isValidJSON(attributes), '', simpleJSONExtractRaw(attributes, 'user_id'))]) AS first_said, '"'), JSONExtractString(first_said),
    first_said),
  ADD COLUMN IF NOT EXISTS is_turn UInt8 DEFAULT thread_id != '' AND id = turn_id;
