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
      level String, id String, effective Int64, prompt Float64, completion Float64, cache_read Float64,
      cache_creation Float64)))')
    FROM (
      SELECT llm_id, groupArray((
        if(project_id = '', 'default', 'project'), id, toUnixTimestamp64Micro(effective_date), prompt, completion,
        cache_read, cache_creation)) AS prices
      FROM costs FINAL
      WHERE project_id IN ('', {p0:String}) AND deleted = 0
      GROUP BY llm_id
    )
  ) AS prices SELECT roundDown(toUnixTimestamp(started_at), {p1:Array(Int64)}) AS bucket, own.1 AS model, ifNull(sum(toNullable(own.5)), 0) AS m0, avg(toNullable(own.5)) AS m1, sum(if(price.id = '', NULL, (greatest(0, toInt64(own.3) - toInt64(own.6) - toInt64(own.7)) * price.prompt + own.6 * price.cache_read + own.7 * price.cache_creation) + own.4 * price.completion)) AS m2, count() AS m3
  FROM (SELECT started_at, own, arraySort(
    row -> (row.effective > toUnixTimestamp64Micro(started_at), row.level = 'default', -row.effective),
    mapValues(prices)[multiIf((transform(toLowCardinality(own.1) AS price_name, mapKeys(prices) AS price_names, arrayEnumerate(price_names) AS price_places, 0) AS price_place_0) > 0, price_place_0, (transform(replaceRegexpOne(lower(price_name), {p2:String}, {p3:String}) AS price_name_0, price_names, price_places, 0) AS price_place_1) > 0, price_place_1, (transform(replaceRegexpOne(price_name_0, {p4:String}, {p3:String}) AS price_name_1, price_names, price_places, 0) AS price_place_2) > 0, price_place_2, (transform(replaceRegexpOne(price_name_1, {p5:String}, {p3:String}) AS price_name_2, price_names, price_places, 0) AS price_place_3) > 0, price_place_3, (transform(replaceRegexpOne(price_name_2, {p6:String}, {p7:String}) AS price_name_3, price_names, price_places, 0) AS price_place_4) > 0, price_place_4, (transform(replaceRegexpOne(price_name_3, {p8:String}, {p9:String}) AS price_name_4, price_names, price_places, 0) AS price_place_5) > 0, price_place_5, (transform(replaceRegexpOne(price_name_4, {p10:String}, {p3:String}) AS price_name_5, price_names, price_places, 0) AS price_place_6) > 0, price_place_6, (transform(replaceRegexpOne(price_name_5, {p11:String}, {p3:String}) AS price_name_6, price_names, price_places, 0) AS price_place_7) > 0, price_place_7, (transform(replaceRegexpOne(price_name_6, {p12:String}, {p13:String}) AS price_name_7, price_names, price_places, 0) AS price_place_8) > 0, price_place_8, 0)])[1] AS price FROM (SELECT started_at, ended_at, exception, summary FROM (SELECT * FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p14:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p15:Int64}, 'UTC') AND (parent_id = '' OR otel_span != '') ORDER BY ver DESC LIMIT 1 BY id)
  UNION ALL SELECT started_at, ended_at, exception, summary FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p16:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p16:String}) = 0) AND started_at >= fromUnixTimestamp64Micro({p14:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p15:Int64}, 'UTC') AND (parent_id = '' OR otel_span != '')) ARRAY JOIN arrayMap(usage -> (usage.1, usage.2.requests, greatest(usage.2.prompt_tokens, usage.2.input_tokens), greatest(usage.2.completion_tokens, usage.2.output_tokens), if(usage.2.total_tokens > 0, usage.2.total_tokens, greatest(usage.2.prompt_tokens, usage.2.input_tokens) + greatest(usage.2.completion_tokens, usage.2.output_tokens)), usage.2.cache_read_input_tokens, usage.2.cache_creation_input_tokens), if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)') AS read_usages) AND summary != '' AND NOT isValidJSON(summary), JSONExtractKeysAndValues(replaceAll(replaceAll(replaceRegexpAll(summary, {p17:String}, {p18:String}), {p19:String}, ''), {p20:String}, '"'), 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'), read_usages)) AS own) GROUP BY bucket, model ORDER BY bucket, model
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "[1767225600,1767229200]"
-- p2 = "^(?:(?:openai|azure(?:[-_](?:ai|openai))?|anthropic|gemini|google(?:[-_](?:gla|vertex|genai|vertexai))?|vertex(?:[-_]?ai)?|models|publishers|projects|(?:aws-|amazon-)?bedrock(?:[-_]converse)?|openrouter|litellm(?:_proxy)?|mistral(?:ai)?|cohere(?:_chat)?|deepseek|x-?ai|groq)(?:/(?:[^/]+/)*|:)|arn:[^/]*/(?:[^/]+/)*)"
-- p3 = ""
-- p4 = "^(?:us|us-gov|eu|apac|jp|au|ca|global)\\."
-- p5 = "^(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\\."
-- p6 = "@"
-- p7 = "-"
-- p8 = "^gpt-35"
-- p9 = "gpt-3.5"
-- p10 = "-v[0-9]+(?::[0-9]+(?::[0-9]+k)?)?$"
-- p11 = "-(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{4}|[0-9]{3,4}|latest)$"
-- p12 = "([0-9])\\.([0-9])"
-- p13 = "\\1-\\2"
-- p14 = "1767225600000000"
-- p15 = "1767232800000000"
-- p16 = "whole"
-- p17 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p18 = "\\1\u0001\\2\u0001"
-- p19 = "\u0001\u0001"
-- p20 = "\u0001"
