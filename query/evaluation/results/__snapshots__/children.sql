SELECT * EXCEPT (ver) FROM (
    SELECT id, parent_id AS trial, toUnixTimestamp64Micro(started_at) AS started, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL,
  (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000) AS seconds,
      toString(op_name) AS op_name, toString(if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p0:String})), op_name)) AS op, match(op_name, {p1:String}) AS is_score, match(op_name, {p2:String}) AS is_predict,
      JSONExtractString(attributes, 'weave', {p3:String}) AS scorer, JSONExtractRaw(attributes, 'weave', 'genai_span_ref') AS spans,
      if(empty(JSONExtractKeysAndValuesRaw(summary, 'usage') AS models), NULL, arraySum(model ->
  if((JSONExtractInt(model.2, 'total_tokens') AS total) > 0, total,
    JSONExtractInt(model.2, 'prompt_tokens') + JSONExtractInt(model.2, 'input_tokens')
      + JSONExtractInt(model.2, 'completion_tokens') + JSONExtractInt(model.2, 'output_tokens')), models)) AS tokens, CAST(NULL, 'Nullable(Float64)') AS cost, ver FROM calls WHERE project_id = {p4:String} AND parent_id IN {p5:Array(String)} AND started_at >= fromUnixTimestamp64Micro({p6:Int64}, 'UTC')
  UNION ALL SELECT id, parent_id AS trial, toUnixTimestamp64Micro(started_at) AS started, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL,
  (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000) AS seconds,
      toString(op_name) AS op_name, toString(if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p0:String})), op_name)) AS op, match(op_name, {p1:String}) AS is_score, match(op_name, {p2:String}) AS is_predict,
      JSONExtractString(attributes, 'weave', {p3:String}) AS scorer, JSONExtractRaw(attributes, 'weave', 'genai_span_ref') AS spans,
      if(empty(JSONExtractKeysAndValuesRaw(summary, 'usage') AS models), NULL, arraySum(model ->
  if((JSONExtractInt(model.2, 'total_tokens') AS total) > 0, total,
    JSONExtractInt(model.2, 'prompt_tokens') + JSONExtractInt(model.2, 'input_tokens')
      + JSONExtractInt(model.2, 'completion_tokens') + JSONExtractInt(model.2, 'output_tokens')), models)) AS tokens, CAST(NULL, 'Nullable(Float64)') AS cost, ver FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND parent_id IN {p5:Array(String)} AND started_at >= fromUnixTimestamp64Micro({p6:Int64}, 'UTC')) ORDER BY started, id, ver DESC LIMIT 1 BY id

-- {"p0":"\\1","p1":"(?:^|/op/)[^/:]*\\.score(?::[^/:]*)?$","p2":"(?:^|/op/)[^/:]*\\.(?:predict|infer|forward|invoke)(?::[^/:]*)?$","p3":"scorer","p4":"p1","p5":["a"],"p6":"8999996400000000"}
