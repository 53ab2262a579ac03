SELECT concat('{"thread_id":', toJSONString(thread_id), ',"turn_count":', toString(turn_count),
    ',"start_time":"', replaceOne(formatDateTime(start_time, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'), '","last_updated":"', replaceOne(formatDateTime(last_updated, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'),
    '","first_turn_id":', toJSONString(first_turn), ',"last_turn_id":', toJSONString(last_turn),
    ',"p50_turn_duration_ms":', toString(p50), ',"p99_turn_duration_ms":', toString(p99), '}') AS line
  FROM (
    SELECT thread_id, count() AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
      substring(min(concat(reverse(reinterpretAsFixedString(bitXor(reinterpretAsUInt64(toUnixTimestamp64Micro(started_at)), bitShiftLeft(toUInt64(1), 63)))), id)), 9) AS first_turn, substring(max(concat(reverse(reinterpretAsFixedString(bitXor(reinterpretAsUInt64(toUnixTimestamp64Micro(ended_at)), bitShiftLeft(toUInt64(1), 63)))), id)), 9) AS last_turn,
      quantilesExactInclusiveIf(0.5, 0.99)(took, ended) AS durations, durations[1] AS p50, durations[2] AS p99
    FROM (SELECT thread_id, id, started_at, ended_at, ended_at > toDateTime64(0, 6, 'UTC') AS ended,
      (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000 AS took FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND is_turn AND thread_id IN {p2:Array(String)} AND started_at > fromUnixTimestamp64Micro({p3:Int64}, 'UTC')
  UNION ALL SELECT thread_id, id, started_at, ended_at, ended_at > toDateTime64(0, 6, 'UTC') AS ended,
      (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000 AS took FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p4:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p4:String}) = 0) AND is_turn AND thread_id IN {p2:Array(String)} AND started_at > fromUnixTimestamp64Micro({p3:Int64}, 'UTC'))
    GROUP BY thread_id HAVING countIf(ended) > 0)
  ORDER BY turn_count ASC, thread_id ASC LIMIT {p5:UInt64} OFFSET {p6:UInt64}
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "half"
-- p2 = ["t"]
-- p3 = "1767225600000000"
-- p4 = "whole"
-- p5 = "5"
-- p6 = "2"
