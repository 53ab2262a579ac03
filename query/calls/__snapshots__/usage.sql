SELECT id, parent_id AS parent, ver, ended_at = toDateTime64(0, 6, 'UTC') AS open,
  if(JSONExtractRaw(summary, 'usage') = '' AND summary != '' AND NOT isValidJSON(summary), JSONExtractRaw(replaceAll(replaceAll(replaceRegexpAll(summary, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"'), 'usage'), JSONExtractRaw(summary, 'usage')) AS usage, '' AS costs FROM (
  SELECT id, parent_id, ver, started_at, ended_at, summary FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String}) = 0) AND trace_id IN (SELECT trace_id FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String}) = 0) AND id IN {p5:Array(String)}
  UNION ALL SELECT trace_id FROM calls WHERE project_id = {p4:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p6:String}) = 0) AND id IN {p5:Array(String)})
  UNION ALL SELECT id, parent_id, ver, started_at, ended_at, summary FROM calls WHERE project_id = {p4:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p6:String}) = 0) AND trace_id IN (SELECT trace_id FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String}) = 0) AND id IN {p5:Array(String)}
  UNION ALL SELECT trace_id FROM calls WHERE project_id = {p4:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p6:String}) = 0) AND id IN {p5:Array(String)}))
-- p0 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p1 = "\\1\u0001\\2\u0001"
-- p2 = "\u0001\u0001"
-- p3 = "\u0001"
-- p4 = "7884e5b5dd50a10f32aee608"
-- p5 = ["x"]
-- p6 = "whole"
