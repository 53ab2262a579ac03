WITH trials AS (SELECT * FROM (
    SELECT id AS trial, parent_id AS run, ver, ended_at, JSONExtractString(inputs, 'model') AS trial_model,
      JSONExtractString(attributes, 'weave', {p0:String}) AS predict_id, JSONExtractKeys(output, 'scores') AS score_names
      FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND match(op_name, {p2:String}) AND parent_id = {p3:String}
  UNION ALL SELECT id AS trial, parent_id AS run, ver, ended_at, JSONExtractString(inputs, 'model') AS trial_model,
      JSONExtractString(attributes, 'weave', {p0:String}) AS predict_id, JSONExtractKeys(output, 'scores') AS score_names
      FROM calls WHERE project_id = {p1:String} AND match(op_name, {p2:String}) AND parent_id = {p3:String}) ORDER BY ver DESC, ended_at DESC LIMIT 1 BY trial)
  SELECT concat('{"prediction_id":', toJSONString(id),
  ',"model":', toJSONString(if(JSONExtractString(attributes, 'weave', {p4:String}) != '', JSONExtractString(attributes, 'weave', {p4:String}), if(if(JSONExtractString(inputs, 'self') != '', JSONExtractString(inputs, 'self'), JSONExtractString(inputs, 'this')) != '', if(JSONExtractString(inputs, 'self') != '', JSONExtractString(inputs, 'self'), JSONExtractString(inputs, 'this')), toString(op_name)))),
  ',"inputs":', multiIf(
  JSONExtractString(attributes, 'weave', {p5:String}) = 'true' AND extract(inputs, {p6:String}) != '' AND startsWith(inputs, concat(extract(inputs, {p6:String}), '"inputs":')),
    substring(inputs, length(concat(extract(inputs, {p6:String}), '"inputs":')) + 1, length(inputs) - length(concat(extract(inputs, {p6:String}), '"inputs":')) - 1),
  extract(inputs, {p6:String}) != '', concat('{', substring(inputs, length(extract(inputs, {p6:String})) + 1)),
  NOT JSONHas(inputs, 'self') AND NOT JSONHas(inputs, 'this'), if(inputs = '', '{}', inputs),
  concat('{', arrayStringConcat(arrayMap(
    kv -> concat(toJSONString(kv.1), ':', kv.2),
    arrayFilter(kv -> kv.1 NOT IN ('self', 'this'), JSONExtractKeysAndValuesRaw(inputs))), ','), '}')),
  ',"output":', if(output = '', 'null', output),
  ',"evaluation_run_id":', if(of_run = '', 'null', toJSONString(of_run)), ',"platform_user_id":', if(user_id = '', 'null', toJSONString(user_id)), ',"wb_user_id":', if(user_id = '', 'null', toJSONString(user_id)), '}') AS line FROM (
    SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver, of_run FROM (SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver, run AS of_run FROM (SELECT * FROM (SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver, run, (match(op_name, {p7:String}) OR has(score_names, if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p8:String})), op_name))) AS is_score,
      multiIf(id = predict_id, 0, op_name = trial_model, 1, match(op_name, {p9:String}), 2, is_score, 9, 3) AS rank
    FROM (
    SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND parent_id IN (SELECT trial FROM trials)
  UNION ALL SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver FROM calls WHERE project_id = {p1:String} AND parent_id IN (SELECT trial FROM trials)) AS child INNER JOIN trials ON child.parent_id = trials.trial) WHERE rank < 9 ORDER BY rank, started_at, id LIMIT 1 BY parent_id))
    
    UNION ALL SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver, JSONExtractString(attributes, 'weave', {p10:String}) AS of_run FROM (
    SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (hasAny(leaves, {p11:Array(UInt32)}) AND JSONExtractString(attributes, 'weave', {p5:String}) = {p12:String}) AND (hasAny(leaves, {p13:Array(UInt32)}) AND JSONExtractString(attributes, 'weave', {p10:String}) = {p3:String})
  UNION ALL SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver FROM calls WHERE project_id = {p1:String} AND (hasAny(leaves, {p11:Array(UInt32)}) AND JSONExtractString(attributes, 'weave', {p5:String}) = {p12:String}) AND (hasAny(leaves, {p13:Array(UInt32)}) AND JSONExtractString(attributes, 'weave', {p10:String}) = {p3:String}))) ORDER BY started_at, id, ver DESC, ended_at DESC LIMIT 1 BY started_at, id LIMIT {p14:UInt64} OFFSET {p15:UInt64}

-- {"p0":"predict_call_id","p1":"p1","p2":"(?:^|/op/)[^/:]*\\.(?:predict_and_score|predictAndScore)(?::[^/:]*)?$","p3":"run-1","p4":"model","p5":"prediction","p6":"^\\{\"self\":\"(?:[^\"\\\\]|\\\\.)*\",","p7":"(?:^|/op/)[^/:]*\\.score(?::[^/:]*)?$","p8":"\\1","p9":"(?:^|/op/)[^/:]*\\.(?:predict|infer|forward|invoke)(?::[^/:]*)?$","p10":"evaluation_run_id","p11":[2991992854,0],"p12":"true","p13":[1846549055,0],"p14":"10","p15":"5"}
