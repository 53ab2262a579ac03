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
          FROM (SELECT toString(model) AS model, [model AS price_name, replaceRegexpOne(lower(price_name), {p0:String}, {p1:String}) AS price_name_0, replaceRegexpOne(price_name_0, {p2:String}, {p1:String}) AS price_name_1, replaceRegexpOne(price_name_1, {p3:String}, {p1:String}) AS price_name_2, replaceRegexpOne(price_name_2, {p4:String}, {p1:String}) AS price_name_3, replaceRegexpOne(price_name_3, {p5:String}, {p6:String}) AS price_name_4, replaceRegexpOne(price_name_4, {p7:String}, {p8:String}) AS price_name_5, replaceRegexpOne(price_name_5, {p9:String}, {p1:String}) AS price_name_6, replaceRegexpOne(price_name_6, {p10:String}, {p1:String}) AS price_name_7, replaceRegexpOne(price_name_7, {p11:String}, {p12:String}) AS price_name_8] AS names FROM (SELECT DISTINCT if(response_model != '', response_model, request_model) AS model FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p14:Int64}, 'UTC')))
        ) AS asked
        JOIN (
          SELECT llm_id, min(project_id = '') AS is_default,
            CAST(groupArray((
              if(project_id = '', 'default', 'project'), toUnixTimestamp64Micro(effective_date),
              arrayConcat([(toInt64(-1), prompt, completion, cache_read, cache_creation)], steps))), 'Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))') AS prices
          FROM costs FINAL
          WHERE project_id IN ('', {p13:String}) AND deleted = 0
          GROUP BY llm_id
        ) AS listed USING (llm_id)
        GROUP BY model LIMIT {p15:UInt64}
      )
      GROUP BY best.1
    )
  ) AS agent_prices SELECT * FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY m0 DESC NULLS LAST, k0, k1) AS place FROM (
      SELECT if(own_conversation = 1, thread_id, trace_conversation) AS k0, if(toString(JSONType(if(otel_shape = '', otel_span, concat(replaceOne(replaceOne(replaceOne(replaceOne(arrayStringConcat(arrayMap((around, value) -> concat(around, value), splitByChar('\x01', replaceOne(replaceOne(replaceOne(replaceOne(replaceOne(toString(otel_shape), '\x0e', replaceOne(toString(started_at), ' ', 'T')), '\x0f', replaceOne(toString(ended_at), ' ', 'T')), '\x06', trace_id), '\x07', id), '\x08', parent_id)), splitByChar('\x01', if(otel_shape = '', '', otel_span)))), '\x02', inputs), '\x03', substring(inputs, position(inputs, '":') + 2, length(inputs) - position(inputs, '":') - 2)), '\x04', output), '\x05', substring(output, position(output, '":') + 2, length(output) - position(output, '":') - 2)), otel_origin)), 'attributes', {p16:String}, {p17:String})) IN {p18:Array(String)}, JSONExtractInt(if(otel_shape = '', otel_span, concat(replaceOne(replaceOne(replaceOne(replaceOne(arrayStringConcat(arrayMap((around, value) -> concat(around, value), splitByChar('\x01', replaceOne(replaceOne(replaceOne(replaceOne(replaceOne(toString(otel_shape), '\x0e', replaceOne(toString(started_at), ' ', 'T')), '\x0f', replaceOne(toString(ended_at), ' ', 'T')), '\x06', trace_id), '\x07', id), '\x08', parent_id)), splitByChar('\x01', if(otel_shape = '', '', otel_span)))), '\x02', inputs), '\x03', substring(inputs, position(inputs, '":') + 2, length(inputs) - position(inputs, '":') - 2)), '\x04', output), '\x05', substring(output, position(output, '":') + 2, length(output) - position(output, '":') - 2)), otel_origin)), 'attributes', {p16:String}, {p17:String}), NULL) AS k1, countIf(operation_name = 'invoke_agent') AS invocation_count, count() AS span_count,
  sumIf(input_tokens, repeats_usage = 0) AS total_input_tokens, sumIf(output_tokens, repeats_usage = 0) AS total_output_tokens, sum(if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)), 0)) AS took,
  countIf(span_status = 2) AS error_count, min(toUnixTimestamp64Micro(started_at)) AS first,
  max(toUnixTimestamp64Micro(started_at)) AS last, uniqExact(if(own_conversation = 1, thread_id, trace_conversation)) AS conversation_count, sumIf(cache_creation_input_tokens, repeats_usage = 0) AS total_cache_creation_input_tokens, sumIf(cache_read_input_tokens, repeats_usage = 0) AS total_cache_read_input_tokens, sumIf(reasoning_tokens, repeats_usage = 0) AS total_reasoning_tokens, sumForEachMapIf(map(concat(toString(roundDown(toUInt64(least(ceil(input_tokens), 1e15)), {p19:Array(UInt64)})), ' ', toString(0), ' ', toString(if(response_model != '', response_model, request_model))), [toFloat64(greatest(0, toInt64(input_tokens) - toInt64(cache_read_input_tokens) - toInt64(cache_creation_input_tokens))), toFloat64(output_tokens), toFloat64(cache_read_input_tokens), toFloat64(cache_creation_input_tokens)]), repeats_usage = 0) AS billed, arraySort(groupUniqArrayIf({p20:UInt64})(toString(if(agent_name = '', trace_agent.1, agent_name)), if(agent_name = '', trace_agent.1, agent_name) != '')) AS agent_names, arraySort(groupUniqArrayIf({p20:UInt64})(toString(if(agent_name = '' AND trace_agent.1 != '', trace_agent.2, agent_version)), if(agent_name = '' AND trace_agent.1 != '', trace_agent.2, agent_version) != '')) AS agent_versions, arraySort(groupUniqArrayIf({p20:UInt64})(toString(provider_name), provider_name != '')) AS provider_names, arraySort(groupUniqArrayIf({p20:UInt64})(toString(request_model), request_model != '')) AS request_models, max((otel_shape = '' OR match(otel_shape, '"conversation":[{][^{}]*"name"|conversation[.]name'))) AS may_name, avg(if((if(agent_name = '', trace_agent.1, agent_name) = {p21:String}), toFloat64(if(ended_at > started_at, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000, NULL)), NULL)) AS m0 FROM calls /* only project_id = {p13:String} */ LEFT ANY JOIN (SELECT trace_id, argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS trace_agent, argMinIf(thread_id, started_at, own_conversation = 1) AS trace_conversation FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p22:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p22:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p23:Int64}, 'UTC') AND (agent_name != '' OR own_conversation = 1) GROUP BY trace_id) AS identity USING (trace_id) WHERE project_id = {p13:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p22:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p22:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p14:Int64}, 'UTC') AND if(own_conversation = 1, thread_id, trace_conversation) IN (SELECT JSONExtractString(scorer, 'span_conversation_id') FROM feedback FINAL WHERE project_id = {p13:String} AND deleted = 0 AND canonical_type IN ('platform.agent_monitor', 'platform.agent_user_feedback') AND hasAny(JSONExtract(scorer, 'scorer_tags', 'Array(String)'), {p24:Array(String)})) AND if(own_conversation = 1, thread_id, trace_conversation) IN (SELECT JSONExtractString(scorer, 'span_conversation_id') FROM feedback FINAL WHERE project_id = {p13:String} AND deleted = 0 AND canonical_type IN ('platform.agent_monitor', 'platform.agent_user_feedback') AND mapContains(JSONExtract(scorer, 'scorer_ratings', 'Map(String, Float64)'), {p25:String}) AND JSONExtract(scorer, 'scorer_ratings', 'Map(String, Float64)')[{p25:String}] >= {p26:Float64}) GROUP BY k0, k1 HAVING count() >= {p27:Float64}))
  WHERE place = 1 OR (place > {p28:UInt64} AND place <= {p29:UInt64}) ORDER BY place
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
-- p13 = "7884e5b5dd50a10f32aee608"
-- p14 = "1767225600000000"
-- p15 = "100000"
-- p16 = "a"
-- p17 = "b"
-- p18 = ["Int64","UInt64"]
-- p19 = "[0]"
-- p20 = "1000"
-- p21 = "it's"
-- p22 = "whole"
-- p23 = "1767222000000000"
-- p24 = ["good"]
-- p25 = "r"
-- p26 = 0.5
-- p27 = 2
-- p28 = "0"
-- p29 = "100"
