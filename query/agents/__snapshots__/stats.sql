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
    SELECT *, dense_rank() OVER (ORDER BY size DESC, k0) AS place FROM (
      SELECT *, sum(n) OVER (PARTITION BY k0) AS size FROM (SELECT roundDown(toUnixTimestamp(started_at), {p16:Array(Int64)}) AS bucket, request_model AS k0, count() AS n, quantileExactInclusive({p17:Float64})(toNullable(toFloat64(if(repeats_usage = 0, input_tokens, NULL)))) AS m0 FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p18:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p18:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p14:Int64}, 'UTC') GROUP BY bucket, k0)))
  WHERE place <= {p19:UInt64} ORDER BY bucket, place
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
-- p16 = "[1767225600,1767225900,1767226200,1767226500,1767226800,1767227100,1767227400,1767227700,1767228000,1767228300,1767228600,1767228900,1767229200,1767229500,1767229800,1767230100,1767230400,1767230700,1767231000,1767231300,1767231600,1767231900,1767232200,1767232500]"
-- p17 = 0.5
-- p18 = "whole"
-- p19 = "50"

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
  ) AS agent_prices SELECT minOrNull(v) AS least, maxOrNull(v) AS most FROM (SELECT *, toFloat64(if(repeats_usage = 0, output_tokens, NULL)) AS v FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p16:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p16:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p14:Int64}, 'UTC')) WHERE v IS NOT NULL
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
-- p16 = "whole"

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
  ) AS agent_prices SELECT toInt64(least({p16:Float64}, floor((v - {p17:Float64}) / {p18:Float64}))) AS range, count() AS n, quantileExactInclusive({p19:Float64})(toNullable(toFloat64(if(repeats_usage = 0, input_tokens, NULL)))) AS m0 FROM (SELECT *, toFloat64(if(repeats_usage = 0, output_tokens, NULL)) AS v FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p13:String} */ WHERE project_id = {p13:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p20:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p13:String} AND kind = {p20:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p14:Int64}, 'UTC')) WHERE v IS NOT NULL GROUP BY range ORDER BY range
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
-- p16 = 3
-- p17 = 0
-- p18 = 2.5
-- p19 = 0.5
-- p20 = "whole"
