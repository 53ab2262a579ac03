SELECT toUnixTimestamp64Micro(started_at) AS started, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole FROM calls_open LEFT ANY JOIN (
    SELECT call_id AS call_49ed8053c92f, argMin(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"')), {p4:String}), (created_at, id)) AS value_49ed8053c92f FROM feedback FINAL WHERE project_id = {p5:String} AND call_id != '' AND canonical_type = {p6:String} AND deleted = 0 GROUP BY call_id
  ) AS feedback_49ed8053c92f ON id = call_49ed8053c92f WHERE project_id = {p5:String} AND kind = 'start' AND id IN (SELECT call_id FROM feedback WHERE project_id = {p5:String} AND call_id != '' AND canonical_type = {p6:String}) AND (toFloat64OrNull(JSONExtractString(value_49ed8053c92f)) > {p7:Float64}) ORDER BY started_at ASC, id ASC LIMIT {p8:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole FROM calls LEFT ANY JOIN (
    SELECT call_id AS call_49ed8053c92f, argMin(JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p0:String}, {p1:String}), {p2:String}, ''), {p3:String}, '"')), {p4:String}), (created_at, id)) AS value_49ed8053c92f FROM feedback FINAL WHERE project_id = {p5:String} AND call_id != '' AND canonical_type = {p6:String} AND deleted = 0 GROUP BY call_id
  ) AS feedback_49ed8053c92f ON id = call_49ed8053c92f WHERE project_id = {p5:String} AND id IN (SELECT call_id FROM feedback WHERE project_id = {p5:String} AND call_id != '' AND canonical_type = {p6:String}) AND (toFloat64OrNull(JSONExtractString(value_49ed8053c92f)) > {p7:Float64}) ORDER BY started_at ASC, id ASC LIMIT {p8:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p9:UInt64}
-- p0 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p1 = "\\1\u0001\\2\u0001"
-- p2 = "\u0001\u0001"
-- p3 = "\u0001"
-- p4 = "output"
-- p5 = "7884e5b5dd50a10f32aee608"
-- p6 = "platform.runnable.judge"
-- p7 = 1
-- p8 = "27"
-- p9 = "10"
