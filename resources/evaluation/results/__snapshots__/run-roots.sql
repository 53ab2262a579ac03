SELECT * FROM (
    SELECT id, trace_id, display_name, toUnixTimestamp64Micro(started_at) AS started, inputs,
      JSONExtractString(attributes, 'weave', {p0:String}) = 'true' AS own, ver FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p2:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p2:String}) = 0) AND id IN {p3:Array(String)}
  UNION ALL SELECT id, trace_id, display_name, toUnixTimestamp64Micro(started_at) AS started, inputs,
      JSONExtractString(attributes, 'weave', {p0:String}) = 'true' AS own, ver FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p4:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p4:String}) = 0) AND id IN {p3:Array(String)}) ORDER BY ver DESC LIMIT 1 BY id

-- {"p0":"evaluation_run","p1":"p1","p2":"half","p3":["run-1","run-2"],"p4":"whole"}
