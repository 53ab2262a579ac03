WITH trials AS (SELECT * FROM (
    SELECT id AS trial, parent_id AS run, ver, ended_at, JSONExtractString(inputs, 'model') AS trial_model,
      JSONExtractString(attributes, 'weave', {p0:String}) AS predict_id, JSONExtractKeys(output, 'scores') AS score_names
      FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND match(op_name, {p2:String})
  UNION ALL SELECT id AS trial, parent_id AS run, ver, ended_at, JSONExtractString(inputs, 'model') AS trial_model,
      JSONExtractString(attributes, 'weave', {p0:String}) AS predict_id, JSONExtractKeys(output, 'scores') AS score_names
      FROM calls WHERE project_id = {p1:String} AND match(op_name, {p2:String})) ORDER BY ver DESC, ended_at DESC LIMIT 1 BY trial)
  SELECT concat('{"score_id":', toJSONString(id),
  ',"scorer":', toJSONString(if(JSONExtractString(attributes, 'weave', {p3:String}) != '', JSONExtractString(attributes, 'weave', {p3:String}), if(if(JSONExtractString(inputs, 'self') != '', JSONExtractString(inputs, 'self'), JSONExtractString(inputs, 'this')) != '', if(JSONExtractString(inputs, 'self') != '', JSONExtractString(inputs, 'self'), JSONExtractString(inputs, 'this')), toString(op_name)))),
  ',"value":', if(output = '', 'null', output),
  ',"evaluation_run_id":', if(of_run = '', 'null', toJSONString(of_run)), ',"platform_user_id":', if(user_id = '', 'null', toJSONString(user_id)), ',"wb_user_id":', if(user_id = '', 'null', toJSONString(user_id)), '}') AS line FROM (
    SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver, of_run FROM (SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver, run AS of_run FROM (SELECT * FROM (SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver, run, (match(op_name, {p4:String}) OR has(score_names, if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p5:String})), op_name))) AS is_score,
      multiIf(id = predict_id, 0, op_name = trial_model, 1, match(op_name, {p6:String}), 2, is_score, 9, 3) AS rank
    FROM (
    SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND parent_id IN (SELECT trial FROM trials)
  UNION ALL SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver FROM calls WHERE project_id = {p1:String} AND parent_id IN (SELECT trial FROM trials)) AS child INNER JOIN trials ON child.parent_id = trials.trial) WHERE is_score))
    
    UNION ALL SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver, JSONExtractString(attributes, 'weave', {p7:String}) AS of_run FROM (
    SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver FROM calls_open WHERE project_id = {p1:String} AND kind = 'start' AND (hasAny(leaves, {p8:Array(UInt32)}) AND JSONExtractString(attributes, 'weave', {p9:String}) = {p10:String})
  UNION ALL SELECT id, parent_id, op_name, started_at, ended_at, exception, inputs, output, attributes, summary, user_id, ver FROM calls WHERE project_id = {p1:String} AND (hasAny(leaves, {p8:Array(UInt32)}) AND JSONExtractString(attributes, 'weave', {p9:String}) = {p10:String}))) ORDER BY started_at, id, ver DESC, ended_at DESC LIMIT 1 BY started_at, id LIMIT {p11:UInt64} OFFSET {p12:UInt64}

-- {"p0":"predict_call_id","p1":"p1","p2":"(?:^|/op/)[^/:]*\\.(?:predict_and_score|predictAndScore)(?::[^/:]*)?$","p3":"scorer","p4":"(?:^|/op/)[^/:]*\\.score(?::[^/:]*)?$","p5":"\\1","p6":"(?:^|/op/)[^/:]*\\.(?:predict|infer|forward|invoke)(?::[^/:]*)?$","p7":"evaluation_run_id","p8":[1012890682,0],"p9":"score","p10":"true","p11":"10","p12":"5"}
