WITH (
    SELECT CAST(groupArray((llm_id, prices)), 'Map(String, Array(Tuple(
      level String, id String, provider String, effective Int64, prompt Float64, completion Float64, cache_read Float64,
      cache_creation Float64, prompt_unit String, completion_unit String, created Int64, created_by String)))')
    FROM (
      SELECT llm_id, groupArray((
        if(project_id = '', 'default', 'project'), id, provider_id, toUnixTimestamp64Micro(effective_date), prompt,
        completion, cache_read, cache_creation, prompt_unit, completion_unit, toUnixTimestamp64Micro(created_at),
        created_by)) AS prices
      FROM costs FINAL
      WHERE project_id IN ('', {p0:String}) AND deleted = 0
      GROUP BY llm_id
    )
  ) AS prices SELECT run, count(tokens) AS used, sum(tokens) AS total, count(cost) AS priced,
      sum(cost) AS costs, count(seconds) AS predictions, avg(seconds) AS latency
    FROM (SELECT trial, use.1 AS tokens, use.2 AS cost, use.3 AS seconds FROM (
      SELECT trial, argMin((tokens, cost, seconds), (rank, started_at)) AS use FROM (
      SELECT cityHash64(parent_id) AS trial, multiIf(op_name IN {p1:Array(String)}, 1, match(op_name, {p2:String}), 2, 3) AS rank, started_at, if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)') AS usages), NULL, arraySum(usage -> if(usage.2.total_tokens > 0, usage.2.total_tokens, (usage.2.prompt_tokens + usage.2.input_tokens) + (usage.2.completion_tokens + usage.2.output_tokens)), usages)) AS tokens,
      if(empty(arrayFilter(pair -> pair.2.id != '', arrayMap(usage -> (usage, arraySort(
    row -> (row.effective > toUnixTimestamp64Micro(started_at), row.level = 'default', -row.effective),
    prices[usage.1])[1]), JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'))) AS priced_usages), NULL, arraySum((usage, price) -> greatest(0, toInt64((usage.2.prompt_tokens + usage.2.input_tokens)) - toInt64(usage.2.cache_read_input_tokens) - toInt64(usage.2.cache_creation_input_tokens)) * price.prompt + (usage.2.completion_tokens + usage.2.output_tokens) * price.completion + usage.2.cache_read_input_tokens * price.cache_read + usage.2.cache_creation_input_tokens * price.cache_creation, priced_usages.1, priced_usages.2)) AS cost, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL,
  (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000) AS seconds FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND trace_id IN {p3:Array(String)} AND NOT match(op_name, {p4:String}) AND NOT match(op_name, {p5:String}) AND if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p6:String})), op_name) NOT IN {p7:Array(String)} AND parent_id NOT IN {p8:Array(String)}
  UNION ALL SELECT cityHash64(parent_id) AS trial, multiIf(op_name IN {p1:Array(String)}, 1, match(op_name, {p2:String}), 2, 3) AS rank, started_at, if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)') AS usages), NULL, arraySum(usage -> if(usage.2.total_tokens > 0, usage.2.total_tokens, (usage.2.prompt_tokens + usage.2.input_tokens) + (usage.2.completion_tokens + usage.2.output_tokens)), usages)) AS tokens,
      if(empty(arrayFilter(pair -> pair.2.id != '', arrayMap(usage -> (usage, arraySort(
    row -> (row.effective > toUnixTimestamp64Micro(started_at), row.level = 'default', -row.effective),
    prices[usage.1])[1]), JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'))) AS priced_usages), NULL, arraySum((usage, price) -> greatest(0, toInt64((usage.2.prompt_tokens + usage.2.input_tokens)) - toInt64(usage.2.cache_read_input_tokens) - toInt64(usage.2.cache_creation_input_tokens)) * price.prompt + (usage.2.completion_tokens + usage.2.output_tokens) * price.completion + usage.2.cache_read_input_tokens * price.cache_read + usage.2.cache_creation_input_tokens * price.cache_creation, priced_usages.1, priced_usages.2)) AS cost, if(ended_at = toDateTime64(0, 6, 'UTC'), NULL,
  (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000000) AS seconds FROM calls WHERE project_id = {p0:String} AND trace_id IN {p3:Array(String)} AND NOT match(op_name, {p4:String}) AND NOT match(op_name, {p5:String}) AND if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', {p6:String})), op_name) NOT IN {p7:Array(String)} AND parent_id NOT IN {p8:Array(String)}) GROUP BY trial)) AS uses INNER JOIN (SELECT cityHash64(id) AS trial, parent_id AS run FROM (SELECT * FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND parent_id IN {p9:Array(String)} AND match(op_name, {p5:String}) ORDER BY ver DESC LIMIT 1 BY id)
  UNION ALL SELECT cityHash64(id) AS trial, parent_id AS run FROM calls WHERE project_id = {p0:String} AND parent_id IN {p9:Array(String)} AND match(op_name, {p5:String})) AS trials ON uses.trial = trials.trial GROUP BY run

-- {"p0":"p1","p1":["m"],"p2":"(?:^|/op/)[^/:]*\\.(?:predict|infer|forward|invoke)(?::[^/:]*)?$","p3":["t"],"p4":"(?:^|/op/)[^/:]*\\.score(?::[^/:]*)?$","p5":"(?:^|/op/)[^/:]*\\.(?:predict_and_score|predictAndScore)(?::[^/:]*)?$","p6":"\\1","p7":["s"],"p8":["","run-1","run-2"],"p9":["run-1","run-2"]}
