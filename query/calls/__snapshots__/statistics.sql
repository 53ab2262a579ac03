SELECT roundDown(toUnixTimestamp(started_at), {p0:Array(Int64)}) AS bucket, ifNull(sum(toNullable(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))), 0) AS m0, quantileExactInclusive({p1:Float64})(toNullable(if(ended_at = toDateTime64(0, 6, 'UTC'), NULL, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)))) AS m1, ifNull(sum(toNullable(toUInt8(exception != ''))), 0) AS m2, count() AS m3 FROM (SELECT started_at, ended_at, first_token, exception, summary FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p2:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p3:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC'))) AND parent_id = ''
  UNION ALL SELECT started_at, ended_at, first_token, exception, summary FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p2:String} */ WHERE project_id = {p2:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p2:String} AND kind = {p6:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p4:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p5:Int64}, 'UTC'))) AND parent_id = '') GROUP BY bucket ORDER BY bucket
-- p0 = "[1767225600,1767229200]"
-- p1 = 0.5
-- p2 = "7884e5b5dd50a10f32aee608"
-- p3 = "half"
-- p4 = "1767225600000000"
-- p5 = "1767232800000000"
-- p6 = "whole"

WITH (
    SELECT CAST((
        arrayFlatten(groupArray(models) AS by_price),
        arrayFlatten(arrayMap((some, place) -> arrayMap(one -> place, some), by_price, arrayEnumerate(by_price))),
        groupArray(prices) AS all_prices,
        arrayMap(rows -> arraySort(row -> (row.level = 'default', -row.effective), rows)[1].rates, all_prices)),
      'Tuple(models Array(String), places Array(UInt64), prices Array(Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))), newest Array(Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))')
    FROM (
      SELECT any(best.2) AS prices, groupArray(model) AS models
      FROM (
        SELECT model, argMin((llm_id, prices), (is_default, step)) AS best
        FROM (
          SELECT model, (arrayJoin(arrayZip(names, arrayEnumerate(names))) AS named).1 AS llm_id, named.2 AS step
          FROM (SELECT toString(model) AS model, [model AS price_name, replaceRegexpOne(lower(price_name), {p0:String}, {p1:String}) AS price_name_0, replaceRegexpOne(price_name_0, {p2:String}, {p1:String}) AS price_name_1, replaceRegexpOne(price_name_1, {p3:String}, {p1:String}) AS price_name_2, replaceRegexpOne(price_name_2, {p4:String}, {p1:String}) AS price_name_3, replaceRegexpOne(price_name_3, {p5:String}, {p6:String}) AS price_name_4, replaceRegexpOne(price_name_4, {p7:String}, {p8:String}) AS price_name_5, replaceRegexpOne(price_name_5, {p9:String}, {p1:String}) AS price_name_6, replaceRegexpOne(price_name_6, {p10:String}, {p1:String}) AS price_name_7, replaceRegexpOne(price_name_7, {p11:String}, {p12:String}) AS price_name_8] AS names FROM (SELECT DISTINCT arrayJoin(if(empty(JSONExtractKeys(summary, 'usage') AS read_models) AND summary != '' AND NOT isValidJSON(summary), JSONExtractKeys(replaceAll(replaceAll(replaceRegexpAll(summary, {p13:String}, {p14:String}), {p15:String}, ''), {p16:String}, '"'), 'usage'), read_models)) AS model FROM (SELECT started_at, ended_at, first_token, exception, summary FROM calls_open WHERE project_id = {p17:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p17:String} */ WHERE project_id = {p17:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p17:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p17:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p17:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p17:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p17:String} AND kind = {p18:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p17:String} AND kind = {p18:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p19:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p20:Int64}, 'UTC'))) AND repeats_usage = 0 AND (parent_id = '' OR otel_span != '')
  UNION ALL SELECT started_at, ended_at, first_token, exception, summary FROM calls /* only project_id = {p17:String} */ WHERE project_id = {p17:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p17:String} */ WHERE project_id = {p17:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p17:String} AND kind = {p21:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p17:String} AND kind = {p21:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p19:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p20:Int64}, 'UTC'))) AND repeats_usage = 0 AND (parent_id = '' OR otel_span != ''))))
        ) AS asked
        JOIN (
          SELECT llm_id, min(project_id = '') AS is_default,
            CAST(groupArray((
              if(project_id = '', 'default', 'project'), toUnixTimestamp64Micro(effective_date),
              arrayConcat([(toInt64(-1), prompt, completion, cache_read, cache_creation)], steps))), 'Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))') AS prices
          FROM costs FINAL
          WHERE project_id IN ('', {p17:String}) AND deleted = 0
          GROUP BY llm_id
        ) AS listed USING (llm_id)
        GROUP BY model LIMIT {p22:UInt64}
      )
      GROUP BY best.1
    )
  ) AS prices SELECT roundDown(toUnixTimestamp(started_at), {p23:Array(Int64)}) AS bucket, own.1 AS model, ifNull(sum(toNullable(own.5)), 0) AS m0, avg(toNullable(own.5)) AS m1, sum(if(price.above != 0, (greatest(0, toInt64(own.3) - toInt64(own.6) - toInt64(own.7)) * price.prompt + own.6 * price.cache_read + own.7 * price.cache_creation) + own.4 * price.completion, NULL)) AS m2, count() AS m3 FROM (SELECT started_at, own, arrayLast(rates -> rates.above < own.3 / greatest(own.2, 1), arraySort(row -> (row.effective > toUnixTimestamp64Micro(started_at), row.level = 'default', -row.effective),
    prices.prices[transform(toLowCardinality(own.1), prices.models, prices.places, toUInt64(0))])[1].rates) AS price FROM (SELECT started_at, ended_at, first_token, exception, summary FROM calls_open WHERE project_id = {p17:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p17:String} */ WHERE project_id = {p17:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p17:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p17:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p17:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p17:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p17:String} AND kind = {p18:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p17:String} AND kind = {p18:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p19:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p20:Int64}, 'UTC'))) AND repeats_usage = 0 AND (parent_id = '' OR otel_span != '')
  UNION ALL SELECT started_at, ended_at, first_token, exception, summary FROM calls /* only project_id = {p17:String} */ WHERE project_id = {p17:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p17:String} */ WHERE project_id = {p17:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p17:String} AND kind = {p21:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p17:String} AND kind = {p21:String}) = 0) AND ((started_at >= fromUnixTimestamp64Micro({p19:Int64}, 'UTC') AND started_at < fromUnixTimestamp64Micro({p20:Int64}, 'UTC'))) AND repeats_usage = 0 AND (parent_id = '' OR otel_span != '')) ARRAY JOIN arrayMap(usage -> (usage.1, usage.2.requests, greatest(usage.2.prompt_tokens, usage.2.input_tokens), greatest(usage.2.completion_tokens, usage.2.output_tokens), if(usage.2.total_tokens > 0, usage.2.total_tokens, greatest(usage.2.prompt_tokens, usage.2.input_tokens) + greatest(usage.2.completion_tokens, usage.2.output_tokens)), usage.2.cache_read_input_tokens, usage.2.cache_creation_input_tokens), if(empty(JSONExtractKeysAndValues(summary, 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)') AS read_usages) AND summary != '' AND NOT isValidJSON(summary), JSONExtractKeysAndValues(replaceAll(replaceAll(replaceRegexpAll(summary, {p13:String}, {p14:String}), {p15:String}, ''), {p16:String}, '"'), 'usage', 'Tuple(requests UInt64, prompt_tokens UInt64, input_tokens UInt64, completion_tokens UInt64, output_tokens UInt64, total_tokens UInt64, cache_read_input_tokens UInt64, cache_creation_input_tokens UInt64)'), read_usages)) AS own) GROUP BY bucket, model ORDER BY bucket, model
-- p0 = "^$"
-- p1 = ""
-- p2 = "^(?:(?:openai|azure(?:[-_](?:ai|openai))?|anthropic|gemini|google(?:[-_](?:gla|vertex|genai|vertexai))?|vertex(?:[-_]?ai)?|models|publishers|projects|(?:aws-|amazon-)?bedrock(?:[-_]converse)?|openrouter|litellm(?:_proxy)?|mistral(?:ai)?|cohere(?:_chat)?|deepseek|x-?ai|groq)(?:/(?:[^/]+/)*|:)|(?:ai21|amazon[-_]nova|cerebras|dashscope|databricks|fireworks(?:_ai)?|inception|jina_ai|minimax|meta|moonshot|morph|perplexity|tencent|v0|volcengine|voyage|zai)/|arn:[^/]*/(?:[^/]+/)*)"
-- p3 = "^(?:us|us-gov|eu|apac|jp|au|ca|global)\\."
-- p4 = "^(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\\."
-- p5 = "@"
-- p6 = "-"
-- p7 = "^gpt-35"
-- p8 = "gpt-3.5"
-- p9 = "-v[0-9]+(?::[0-9]+(?::[0-9]+k)?)?$"
-- p10 = "-(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{4}|[0-9]{3,4}|latest)$"
-- p11 = "([0-9])\\.([0-9])"
-- p12 = "\\1-\\2"
-- p13 = "(\"(?:[^\"\\\\]|\\\\.)*\")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})"
-- p14 = "\\1\u0001\\2\u0001"
-- p15 = "\u0001\u0001"
-- p16 = "\u0001"
-- p17 = "7884e5b5dd50a10f32aee608"
-- p18 = "half"
-- p19 = "1767225600000000"
-- p20 = "1767232800000000"
-- p21 = "whole"
-- p22 = "100000"
-- p23 = "[1767225600,1767229200]"
