SELECT run, count(tokens) AS used, sum(tokens) AS total, count(cost) AS priced,
      sum(cost) AS costs, count(seconds) AS predictions, avg(seconds) AS latency
    FROM (SELECT cityHash64(parent_id) AS trial, if(empty(JSONExtractKeysAndValuesRaw(summary, 'usage') AS models), NULL, arraySum(model ->
  if((JSONExtractInt(model.2, 'total_tokens') AS total) > 0, total,
    JSONExtractInt(model.2, 'prompt_tokens') + JSONExtractInt(model.2, 'input_tokens')
      + JSONExtractInt(model.2, 'completion_tokens') + JSONExtractInt(model.2, 'output_tokens')), models)) AS tokens, CAST(NULL, 'Nullable(Float64)') AS cost,
      if(ended_at = toDateTime64(0, 6, 'UTC'), NULL,
  (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000) AS seconds FROM calls WHERE project_id = {p0:String} AND trace_id IN {p1:Array(String)} AND op_name IN {p2:Array(String)}
  UNION ALL SELECT cityHash64(parent_id) AS trial, if(empty(JSONExtractKeysAndValuesRaw(summary, 'usage') AS models), NULL, arraySum(model ->
  if((JSONExtractInt(model.2, 'total_tokens') AS total) > 0, total,
    JSONExtractInt(model.2, 'prompt_tokens') + JSONExtractInt(model.2, 'input_tokens')
      + JSONExtractInt(model.2, 'completion_tokens') + JSONExtractInt(model.2, 'output_tokens')), models)) AS tokens, CAST(NULL, 'Nullable(Float64)') AS cost,
      if(ended_at = toDateTime64(0, 6, 'UTC'), NULL,
  (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000) AS seconds FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND trace_id IN {p1:Array(String)} AND op_name IN {p2:Array(String)}) AS uses INNER JOIN (SELECT cityHash64(id) AS trial, parent_id AS run FROM calls WHERE project_id = {p0:String} AND parent_id IN {p3:Array(String)} AND match(op_name, {p4:String})
  UNION ALL SELECT cityHash64(id) AS trial, parent_id AS run FROM (SELECT * FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND parent_id IN {p3:Array(String)} AND match(op_name, {p4:String}) ORDER BY ver DESC LIMIT 1 BY id)) AS trials ON uses.trial = trials.trial GROUP BY run

-- {"p0":"p1","p1":["t"],"p2":["op"],"p3":["run-1","run-2"],"p4":"(?:^|/op/)[^/:]*\\.(?:predict_and_score|predictAndScore)(?::[^/:]*)?$"}
