SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p4:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p5:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p5:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p4:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p6:UInt64} OFFSET {p7:UInt64}
-- p0 = "1"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "a"
-- p4 = "11000"
-- p5 = "whole"
-- p6 = "1000"
-- p7 = "10000"

SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) >= (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "1767225600000000"
-- p3 = "a"
