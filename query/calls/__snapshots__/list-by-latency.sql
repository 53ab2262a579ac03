SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 0 AS width, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS sort_0, id AS sort_1 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) ORDER BY sort_0 DESC, sort_1 DESC LIMIT {p1:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 0 AS width, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS sort_0, id AS sort_1 FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String}) = 0) ORDER BY sort_0 DESC, sort_1 DESC LIMIT {p1:UInt64})) AS seen
  ORDER BY sort_0 DESC, sort_1 DESC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p3:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "27"
-- p2 = "whole"
-- p3 = "10"

SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 0 AS width, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS sort_0, id AS sort_1 FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at) >= {p1:Int64} ORDER BY sort_0 DESC, sort_1 DESC LIMIT {p2:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 0 AS width, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS sort_0, id AS sort_1 FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p3:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p3:String}) = 0) AND toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at) >= {p1:Int64} ORDER BY sort_0 DESC, sort_1 DESC LIMIT {p2:UInt64})) AS seen
  ORDER BY sort_0 DESC, sort_1 DESC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p4:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "7000"
-- p2 = "27"
-- p3 = "whole"
-- p4 = "10"

SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 0 FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2 FROM (SELECT arrayJoin(arrayZip({p1:Array(Int64)}, {p2:Array(String)})) AS key))
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "[1767225600000000,1767225600000001]"
-- p2 = ["a","b"]

SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) AS width, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS sort_0, id AS sort_1 FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String}) = 0) ORDER BY sort_0 DESC, sort_1 DESC LIMIT {p2:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) AS width, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)) AS sort_0, id AS sort_1 FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p3:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p3:String}) = 0) ORDER BY sort_0 DESC, sort_1 DESC LIMIT {p2:UInt64})) AS seen
  ORDER BY sort_0 DESC, sort_1 DESC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p4:UInt64}
-- p0 = "1"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "27"
-- p3 = "whole"
-- p4 = "10"

SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND id IN {p1:Array(String)}
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String}) = 0) AND (started_at, id) IN (SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2 FROM (SELECT arrayJoin(arrayZip({p3:Array(Int64)}, {p1:Array(String)})) AS key))
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String}) = 0) AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String} AND id IN {p1:Array(String)})) AS seen
  ORDER BY indexOf({p1:Array(String)}, id), ver DESC, whole DESC LIMIT 1 BY id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["a","b"]
-- p2 = "whole"
-- p3 = "[1767225600000000,1767225600000001]"
