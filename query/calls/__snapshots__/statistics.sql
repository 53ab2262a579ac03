SELECT roundDown(toUnixTimestamp(started_at), {p0:Array(Int64)}) AS bucket, ifNull(sum(toNullable(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))), 0) AS m0, quantileExactInclusive({p1:Float64})(toNullable(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))) AS m1, ifNull(sum(toNullable(toUInt8(exception != ''))), 0) AS m2, count() AS m3
  FROM (SELECT started_at, ended_at, exception, summary FROM (SELECT * FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND parent_id = '' ORDER BY ver DESC LIMIT 1 BY id)
  UNION ALL SELECT started_at, ended_at, exception, summary FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p5:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p5:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p3:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND parent_id = '') GROUP BY bucket ORDER BY bucket
-- p0 = "[1767225600,1767229200]"
-- p1 = 0.5
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "1767225600000000"
-- p4 = "1767232800000000"
-- p5 = "whole"

WITH (
    SELECT CAST(groupArray((llm_id, prices)), 'Map(String, Array(Tuple(
      model String, level String, id String, provider String, effective Int64, prompt Float64, completion Float64, cache_read Float64,
      cache_creation Float64, prompt_unit String, completion_unit String, created Int64, created_by String)))')
    FROM (
      SELECT llm_id, groupArray((
        llm_id, if(project_id = '', 'default', 'project'), id, provider_id, toUnixTimestamp64Micro(effective_date), prompt,
        completion, cache_read, cache_creation, prompt_unit, completion_unit, toUnixTimestamp64Micro(created_at),
        created_by)) AS prices
      FROM costs FINAL
      WHERE project_id IN ('', {p0:String}) AND deleted = 0
      GROUP BY llm_id
    )
  ) AS prices SELECT roundDown(toUnixTimestamp(started_at), {p1:Array(Int64)}) AS bucket, own.1 AS model, ifNull(sum(toNullable(own.5)), 0) AS m0, avg(toNullable(own.5)) AS m1, sum(((JSONExtract(costs, own.1, {p2:String}, 'Nullable(Float64)') + JSONExtract(costs, own.1, {p3:String}, 'Nullable(Float64)') + JSONExtract(costs, own.1, {p4:String}, 'Nullable(Float64)')) + JSONExtract(costs, own.1, {p5:String}, 'Nullable(Float64)'))) AS m2, count() AS m3
  FROM (SELECT started_at, summary, concat('{', arrayStringConcat(arrayFilter(text -> text != '', arrayMap(
    (usage, price) -> if(price.id = '', '', concat(
      toJSONString(usage.1),
      ':{"prompt_tokens":', toString(greatest(usage.2.prompt_tokens, usage.2.input_tokens)),
      ',"completion_tokens":', toString(greatest(usage.2.completion_tokens, usage.2.output_tokens)),
      ',"cache_read_input_tokens":', toString(usage.2.cache_read_input_tokens),
      ',"cache_creation_input_tokens":', toString(usage.2.cache_creation_input_tokens),
      ',"requests":', toString(usage.2.requests),
      ',"total_tokens":', toString(if(usage.2.total_tokens > 0, usage.2.total_tokens, greatest(usage.2.prompt_tokens, usage.2.input_tokens) + greatest(usage.2.completion_tokens, usage.2.output_tokens))),
      ',"prompt_token_cost":', toString(price.prompt),
      ',"completion_token_cost":', toString(price.completion),
      ',"cache_read_input_token_cost":', toString(price.cache_read),
      ',"cache_creation_input_token_cost":', toString(price.cache_creation),
      ',"prompt_tokens_total_cost":', toString(greatest(0, toInt64(greatest(usage.2.prompt_tokens, usage.2.input_tokens)) - toInt64(usage.2.cache_read_input_tokens) - toInt64(usage.2.cache_creation_input_tokens)) * price.prompt),
      ',"completion_tokens_total_cost":', toString(greatest(usage.2.completion_tokens, usage.2.output_tokens) * price.completion),
      ',"cache_read_input_tokens_total_cost":', toString(usage.2.cache_read_input_tokens * price.cache_read),
      ',"cache_creation_input_tokens_total_cost":', toString(usage.2.cache_creation_input_tokens * price.cache_creation),
      ',"prompt_token_cost_unit":', toJSONString(price.prompt_unit),
      ',"completion_token_cost_unit":', toJSONString(price.completion_unit),
      ',"effective_date":"', replaceOne(formatDateTime(fromUnixTimestamp64Micro(price.effective, 'UTC'), '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'),
      '","provider_id":', toJSONString(price.provider),
      ',"llm_id":', toJSONString(price.model),
      ',"pricing_level":', toJSONString(price.level),
      ',"pricing_level_id":', toJSONString(price.id),
      ',"created_at":"', replaceOne(formatDateTime(fromUnixTimestamp64Micro(price.created, 'UTC'), '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z'),
      '","created_by":', toJSONString(price.created_by), '}')),
    if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)')) AND summary != '' AND NOT isValidJSON(summary), JSONExtractKeysAndValues(replaceAll(replaceAll(replaceRegexpAll(summary, {p6:String}, {p7:String}), {p8:String}, ''), {p9:String}, '"'), 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'), JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)')),
    arrayMap(usage -> arraySort(
    row -> (row.effective > toUnixTimestamp64Micro(started_at), row.level = 'default', -row.effective),
    prices[if(mapContains(prices, usage.1), usage.1, arrayFirst(name -> mapContains(prices, name), [replaceRegexpOne(lower(toLowCardinality(usage.1)), {p10:String}, {p11:String}), replaceRegexpOne(replaceRegexpOne(lower(toLowCardinality(usage.1)), {p10:String}, {p11:String}), {p12:String}, {p11:String}), replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(lower(toLowCardinality(usage.1)), {p10:String}, {p11:String}), {p12:String}, {p11:String}), {p13:String}, {p11:String}), replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(lower(toLowCardinality(usage.1)), {p10:String}, {p11:String}), {p12:String}, {p11:String}), {p13:String}, {p11:String}), {p14:String}, {p15:String}), replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(lower(toLowCardinality(usage.1)), {p10:String}, {p11:String}), {p12:String}, {p11:String}), {p13:String}, {p11:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(lower(toLowCardinality(usage.1)), {p10:String}, {p11:String}), {p12:String}, {p11:String}), {p13:String}, {p11:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p11:String}), replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(lower(toLowCardinality(usage.1)), {p10:String}, {p11:String}), {p12:String}, {p11:String}), {p13:String}, {p11:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p11:String}), {p19:String}, {p11:String}), replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(replaceRegexpOne(lower(toLowCardinality(usage.1)), {p10:String}, {p11:String}), {p12:String}, {p11:String}), {p13:String}, {p11:String}), {p14:String}, {p15:String}), {p16:String}, {p17:String}), {p18:String}, {p11:String}), {p19:String}, {p11:String}), {p20:String}, {p21:String})]))])[1], if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)')) AND summary != '' AND NOT isValidJSON(summary), JSONExtractKeysAndValues(replaceAll(replaceAll(replaceRegexpAll(summary, {p6:String}, {p7:String}), {p8:String}, ''), {p9:String}, '"'), 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'), JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'))))), ','), '}') AS costs FROM (SELECT started_at, ended_at, exception, summary FROM (SELECT * FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p22:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p23:Int64}, 'UTC') AND (parent_id = '' OR otel_span != '') ORDER BY ver DESC LIMIT 1 BY id)
  UNION ALL SELECT started_at, ended_at, exception, summary FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p24:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p24:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p22:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p23:Int64}, 'UTC') AND (parent_id = '' OR otel_span != ''))) ARRAY JOIN arrayMap(usage -> (usage.1, usage.2.requests, greatest(usage.2.prompt_tokens, usage.2.input_tokens), greatest(usage.2.completion_tokens, usage.2.output_tokens), if(usage.2.total_tokens > 0, usage.2.total_tokens, greatest(usage.2.prompt_tokens, usage.2.input_tokens) + greatest(usage.2.completion_tokens, usage.2.output_tokens)), usage.2.cache_read_input_tokens, usage.2.cache_creation_input_tokens), if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)')) AND summary != '' AND NOT isValidJSON(summary), JSONExtractKeysAndValues(replaceAll(replaceAll(replaceRegexpAll(summary, {p6:String}, {p7:String}), {p8:String}, ''), {p9:String}, '"'), 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'), JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'))) AS own
  GROUP BY bucket, model ORDER BY bucket, model
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "[1767225600,1767229200]"
-- p2 = "prompt_tokens_total_cost"
-- p3 = "cache_read_input_tokens_total_cost"
-- p4 = "cache_creation_input_tokens_total_cost"
-- p5 = "completion_tokens_total_cost"
-- p6 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p7 = "\\1\u0001\\2\u0001"
-- p8 = "\u0001\u0001"
-- p9 = "\u0001"
-- p10 = "^(?:(?:openai|azure(?:[-_](?:ai|openai))?|anthropic|gemini|google(?:[-_](?:gla|vertex|genai|vertexai))?|vertex(?:[-_]?ai)?|models|publishers|projects|(?:aws-|amazon-)?bedrock(?:[-_]converse)?|openrouter|litellm(?:_proxy)?|mistral(?:ai)?|cohere(?:_chat)?|deepseek|x-?ai|groq)(?:/(?:[^/]+/)*|:)|arn:[^/]*/(?:[^/]+/)*)"
-- p11 = ""
-- p12 = "^(?:us|us-gov|eu|apac|jp|au|ca|global)\\."
-- p13 = "^(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\\."
-- p14 = "@"
-- p15 = "-"
-- p16 = "^gpt-35"
-- p17 = "gpt-3.5"
-- p18 = "-v[0-9]+(?::[0-9]+(?::[0-9]+k)?)?$"
-- p19 = "-(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{4}|[0-9]{3,4}|latest)$"
-- p20 = "([0-9])\\.([0-9])"
-- p21 = "\\1-\\2"
-- p22 = "1767225600000000"
-- p23 = "1767232800000000"
-- p24 = "whole"
