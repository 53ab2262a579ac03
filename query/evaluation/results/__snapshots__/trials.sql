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
  ) AS prices SELECT * EXCEPT (ver, ended_at) FROM (
    SELECT id, parent_id AS run, toUnixTimestamp64Micro(started_at) AS started,
      inputs AS inputs, output, '' AS attributes,
      if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)') AS usages), NULL, arraySum(usage -> if(usage.2.total_tokens > 0, usage.2.total_tokens, (usage.2.prompt_tokens + usage.2.input_tokens) + (usage.2.completion_tokens + usage.2.output_tokens)), usages)) AS tokens, if(empty(arrayFilter(pair -> pair.2.id != '', arrayMap(usage -> (usage, arraySort(
    row -> (row.effective > toUnixTimestamp64Micro(started_at), row.level = 'default', -row.effective),
    prices[usage.1])[1]), JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'))) AS priced_usages), NULL, arraySum((usage, price) -> greatest(0, toInt64((usage.2.prompt_tokens + usage.2.input_tokens)) - toInt64(usage.2.cache_read_input_tokens) - toInt64(usage.2.cache_creation_input_tokens)) * price.prompt + (usage.2.completion_tokens + usage.2.output_tokens) * price.completion + usage.2.cache_read_input_tokens * price.cache_read + usage.2.cache_creation_input_tokens * price.cache_creation, priced_usages.1, priced_usages.2)) AS cost, ver, ended_at FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN {p1:Array(String)} AND run IN {p2:Array(String)}
  UNION ALL SELECT id, parent_id AS run, toUnixTimestamp64Micro(started_at) AS started,
      inputs AS inputs, output, '' AS attributes,
      if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)') AS usages), NULL, arraySum(usage -> if(usage.2.total_tokens > 0, usage.2.total_tokens, (usage.2.prompt_tokens + usage.2.input_tokens) + (usage.2.completion_tokens + usage.2.output_tokens)), usages)) AS tokens, if(empty(arrayFilter(pair -> pair.2.id != '', arrayMap(usage -> (usage, arraySort(
    row -> (row.effective > toUnixTimestamp64Micro(started_at), row.level = 'default', -row.effective),
    prices[usage.1])[1]), JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'))) AS priced_usages), NULL, arraySum((usage, price) -> greatest(0, toInt64((usage.2.prompt_tokens + usage.2.input_tokens)) - toInt64(usage.2.cache_read_input_tokens) - toInt64(usage.2.cache_creation_input_tokens)) * price.prompt + (usage.2.completion_tokens + usage.2.output_tokens) * price.completion + usage.2.cache_read_input_tokens * price.cache_read + usage.2.cache_creation_input_tokens * price.cache_creation, priced_usages.1, priced_usages.2)) AS cost, ver, ended_at FROM calls WHERE project_id = {p0:String} AND (started_at, id) IN (SELECT fromUnixTimestamp64Micro(key.1, 'UTC'), key.2 FROM (
    SELECT arrayJoin(arrayZip({p3:Array(Int64)}, {p1:Array(String)})) AS key)) AND run IN {p2:Array(String)}) ORDER BY ver DESC, ended_at DESC LIMIT 1 BY id

-- {"p0":"p1","p1":["a"],"p2":["run-1","run-2"],"p3":"[1000000]"}
