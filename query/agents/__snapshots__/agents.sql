SELECT * FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY span_count DESC, agent_name) AS place FROM (
      SELECT agent_name, countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sum(input_tokens) AS total_input_tokens, sum(output_tokens) AS total_output_tokens, sum(if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)), 0)) AS took,
  countIf(span_status = 2) AS error_count, min(toUnixTimestamp64Micro(started_at)) AS first,
  max(toUnixTimestamp64Micro(started_at)) AS last FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND agent_name != '' GROUP BY agent_name))
  WHERE place = 1 OR (place > {p2:UInt64} AND place <= {p3:UInt64}) ORDER BY place
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "0"
-- p3 = "100"

SELECT * FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY last DESC, agent_version) AS place FROM (
      SELECT agent_name, agent_version, countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sum(input_tokens) AS total_input_tokens, sum(output_tokens) AS total_output_tokens, sum(if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)), 0)) AS took,
  countIf(span_status = 2) AS error_count, min(toUnixTimestamp64Micro(started_at)) AS first,
  max(toUnixTimestamp64Micro(started_at)) AS last FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND span_kind > 0 AND agent_name = {p2:String} AND agent_name != '' GROUP BY agent_name, agent_version))
  WHERE place = 1 OR (place > {p3:UInt64} AND place <= {p4:UInt64}) ORDER BY place
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "whole"
-- p2 = "a"
-- p3 = "0"
-- p4 = "100"

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
  ) AS agent_prices SELECT if(agent_name = '', trace_agent.1, agent_name) AS agent, if(agent_name = '' AND trace_agent.1 != '', trace_agent.2, agent_version) AS version, sum(if((arrayMap(rows -> arraySort(row -> (row.level = 'default', -row.effective), rows)[1], mapValues(agent_prices))[multiIf((transform(toLowCardinality(if(response_model != '', response_model, request_model)) AS price_name, mapKeys(agent_prices) AS price_names, arrayEnumerate(price_names) AS price_places, 0) AS price_place_0) > 0, price_place_0, (transform(replaceRegexpOne(lower(price_name), {p1:String}, {p2:String}) AS price_name_0, price_names, price_places, 0) AS price_place_1) > 0, price_place_1, (transform(replaceRegexpOne(price_name_0, {p3:String}, {p2:String}) AS price_name_1, price_names, price_places, 0) AS price_place_2) > 0, price_place_2, (transform(replaceRegexpOne(price_name_1, {p4:String}, {p2:String}) AS price_name_2, price_names, price_places, 0) AS price_place_3) > 0, price_place_3, (transform(replaceRegexpOne(price_name_2, {p5:String}, {p6:String}) AS price_name_3, price_names, price_places, 0) AS price_place_4) > 0, price_place_4, (transform(replaceRegexpOne(price_name_3, {p7:String}, {p8:String}) AS price_name_4, price_names, price_places, 0) AS price_place_5) > 0, price_place_5, (transform(replaceRegexpOne(price_name_4, {p9:String}, {p2:String}) AS price_name_5, price_names, price_places, 0) AS price_place_6) > 0, price_place_6, (transform(replaceRegexpOne(price_name_5, {p10:String}, {p2:String}) AS price_name_6, price_names, price_places, 0) AS price_place_7) > 0, price_place_7, (transform(replaceRegexpOne(price_name_6, {p11:String}, {p12:String}) AS price_name_7, price_names, price_places, 0) AS price_place_8) > 0, price_place_8, 0)] AS agent_price).id = '', NULL, greatest(0, toInt64(input_tokens) - toInt64(cache_read_input_tokens) - toInt64(cache_creation_input_tokens)) * agent_price.prompt + output_tokens * agent_price.completion + cache_read_input_tokens * agent_price.cache_read + cache_creation_input_tokens * agent_price.cache_creation)) AS total FROM calls /* only project_id = {p0:String} */ LEFT ANY JOIN (SELECT trace_id, argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS trace_agent, anyIf(thread_id, own_conversation = 1) AS trace_conversation FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p13:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p13:String}) = 0) AND span_kind > 0 AND (agent_name != '' OR own_conversation = 1) GROUP BY trace_id) AS identity USING (trace_id) WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p13:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p13:String}) = 0) AND span_kind > 0 AND if(agent_name = '', trace_agent.1, agent_name) IN {p14:Array(String)}
    GROUP BY agent, version HAVING total IS NOT NULL
-- p0 = "7884e5b5dd50a10f32aee608"
-- p1 = "^(?:(?:openai|azure(?:[-_](?:ai|openai))?|anthropic|gemini|google(?:[-_](?:gla|vertex|genai|vertexai))?|vertex(?:[-_]?ai)?|models|publishers|projects|(?:aws-|amazon-)?bedrock(?:[-_]converse)?|openrouter|litellm(?:_proxy)?|mistral(?:ai)?|cohere(?:_chat)?|deepseek|x-?ai|groq)(?:/(?:[^/]+/)*|:)|arn:[^/]*/(?:[^/]+/)*)"
-- p2 = ""
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
-- p13 = "whole"
-- p14 = ["a"]
