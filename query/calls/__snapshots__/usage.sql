SELECT trace_id, toUnixTimestamp64Micro(started_at) AS started FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND id IN {p1:Array(String)}
  UNION ALL SELECT trace_id, toUnixTimestamp64Micro(started_at) AS started FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p2:String}) = 0) AND id IN {p1:Array(String)}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = ["x"]
-- p2 = "whole"

SELECT id, parent_id AS parent, ver, ended_at = toDateTime64(0, 6, 'UTC') AS open,
  toUnixTimestamp64Micro(started_at) AS started, if(repeats_usage = 0, if((JSONExtractRaw(summary, 'usage') AS read_usage) = '' AND summary != '' AND NOT isValidJSON(summary), JSONExtractRaw(replaceAll(replaceAll(replaceRegexpAll(summary, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"'), 'usage'), read_usage), '') AS usage FROM (
  SELECT id, parent_id, ver, started_at, ended_at, summary, repeats_usage FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p4:String} */ WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String}) = 0) AND trace_id IN {p5:Array(String)} AND started_at >= fromUnixTimestamp64Micro({p6:Int64}, 'UTC')
  UNION ALL SELECT id, parent_id, ver, started_at, ended_at, summary, repeats_usage FROM calls /* only project_id = {p4:String} */ WHERE project_id = {p4:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p4:String} */ WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p7:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p7:String}) = 0) AND trace_id IN {p5:Array(String)} AND started_at >= fromUnixTimestamp64Micro({p6:Int64}, 'UTC'))
-- p0 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p1 = "\\1\u0001\\2\u0001"
-- p2 = "\u0001\u0001"
-- p3 = "\u0001"
-- p4 = "7884e5b5dd50a10f32aee608"
-- p5 = ["t"]
-- p6 = "1767139200000000"
-- p7 = "whole"
