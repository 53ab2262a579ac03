SELECT toUnixTimestamp64Micro(started_at) AS started, toUInt64(width), toUInt8(1 - whole) AS running, id FROM (
  SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 0 AS whole, 1000 + {p0:UInt64} * length(exception) + {p0:UInt64} * length(attributes) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(summary) + {p0:UInt64} * length(otel_span) AS width FROM calls_open LEFT ANY JOIN (
    SELECT call_id AS call_352a7311c12c, concat('[', arrayStringConcat(arrayMap(row -> row.3, arraySort(groupArrayIf((created_at, id, JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String})), JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}) NOT IN ('', 'null')))), ','), ']') AS value_352a7311c12c FROM feedback FINAL WHERE project_id = {p7:String} AND call_id != '' AND canonical_type = {p8:String} AND deleted = 0 GROUP BY call_id
  ) AS feedback_352a7311c12c ON id = call_352a7311c12c WHERE project_id = {p7:String} AND kind = 'start' AND id IN (SELECT call_id FROM feedback WHERE project_id = {p7:String} AND call_id != '' AND canonical_type = {p8:String}) AND (id NOT IN (SELECT id FROM calls /* only project_id = {p7:String} */ WHERE project_id = {p7:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p7:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p7:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p7:String}) = 0) AND (arrayExists(one -> ifNull(JSONExtractString(one) = {p9:String}, 0), JSONExtractArrayRaw(value_352a7311c12c))) ORDER BY started_at ASC, id ASC LIMIT {p10:UInt64})
  UNION ALL SELECT * FROM (SELECT started_at, id, ver, trace_id, op_name, 1 AS whole, 1000 + {p0:UInt64} * length(exception) + {p0:UInt64} * length(attributes) + {p1:UInt64} * length(inputs) + {p1:UInt64} * length(output) + {p0:UInt64} * length(summary) + {p0:UInt64} * length(otel_span) AS width FROM calls /* only project_id = {p7:String} */ LEFT ANY JOIN (
    SELECT call_id AS call_352a7311c12c, concat('[', arrayStringConcat(arrayMap(row -> row.3, arraySort(groupArrayIf((created_at, id, JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String})), JSONExtractRaw(if(payload = '' OR isValidJSON(payload), payload, replaceAll(replaceAll(replaceRegexpAll(payload, {p2:String}, {p3:String}), {p4:String}, ''), {p5:String}, '"')), {p6:String}) NOT IN ('', 'null')))), ','), ']') AS value_352a7311c12c FROM feedback FINAL WHERE project_id = {p7:String} AND call_id != '' AND canonical_type = {p8:String} AND deleted = 0 GROUP BY call_id
  ) AS feedback_352a7311c12c ON id = call_352a7311c12c WHERE project_id = {p7:String} AND id IN (SELECT call_id FROM feedback WHERE project_id = {p7:String} AND call_id != '' AND canonical_type = {p8:String}) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p7:String} */ WHERE project_id = {p7:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p7:String} AND kind = {p11:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p7:String} AND kind = {p11:String}) = 0) AND (arrayExists(one -> ifNull(JSONExtractString(one) = {p9:String}, 0), JSONExtractArrayRaw(value_352a7311c12c))) ORDER BY started_at ASC, id ASC LIMIT {p10:UInt64})) AS seen
  ORDER BY started_at ASC, id ASC, ver DESC, whole DESC LIMIT 1 BY id LIMIT {p12:UInt64}
-- p0 = "1"
-- p1 = "2"
-- p2 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p3 = "\\1\u0001\\2\u0001"
-- p4 = "\u0001\u0001"
-- p5 = "\u0001"
-- p6 = "note"
-- p7 = "7884e5b5dd50a10f32aee608"
-- p8 = "platform.note.1"
-- p9 = "x"
-- p10 = "27"
-- p11 = "whole"
-- p12 = "10"
