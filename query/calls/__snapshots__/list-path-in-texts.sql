SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) AND hasAny(leaves, {p4:Array(UInt32)}) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) AS width FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p6:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p2:Int64}, 'UTC') AND (started_at, id) > (fromUnixTimestamp64Micro({p2:Int64}, 'UTC'), {p3:String}) AND hasAny(leaves, {p4:Array(UInt32)}) ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id LIMIT {p5:UInt64}
-- p0 = "1"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "1767225600000000"
-- p3 = "a"
-- p4 = [3101992536,3992171881,0]
-- p5 = "1000"
-- p6 = "whole"

SELECT started_at, id, ver, op_name, trace_id, display_name, ended_at, exception, first_token, descendant_errors, 0 FROM (
  SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls_open PREWHERE project_id = {p0:String} AND kind = 'start' AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND hasAny(leaves, {p3:Array(UInt32)}) WHERE (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND ((hasAny(leaves, {p3:Array(UInt32)}) AND JSONExtractString(if(output = '' OR isValidJSON(output), output, replaceAll(replaceAll(replaceRegexpAll(output, {p4:String}, {p5:String}), {p6:String}, ''), {p7:String}, '"')), {p2:String}) IN {p8:Array(String)}))
  UNION ALL SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, display_name, ended_at, exception, first_token, descendant_errors FROM calls /* only project_id = {p0:String} */ PREWHERE project_id = {p0:String} AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND hasAny(leaves, {p3:Array(UInt32)}) WHERE ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p9:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p9:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p1:Int64}, 'UTC') AND (started_at, id) >= (fromUnixTimestamp64Micro({p1:Int64}, 'UTC'), {p2:String}) AND ((hasAny(leaves, {p3:Array(UInt32)}) AND JSONExtractString(if(output = '' OR isValidJSON(output), output, replaceAll(replaceAll(replaceRegexpAll(output, {p4:String}, {p5:String}), {p6:String}, ''), {p7:String}, '"')), {p2:String}) IN {p8:Array(String)}))) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY started_at, id
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "1767225600000000"
-- p2 = "a"
-- p3 = [3101992536,3992171881,0]
-- p4 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p5 = "\\1\u0001\\2\u0001"
-- p6 = "\u0001\u0001"
-- p7 = "\u0001"
-- p8 = ["x","y"]
-- p9 = "whole"
