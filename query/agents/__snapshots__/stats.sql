WITH (
    SELECT CAST((names, arrayMap((rows, place) -> place + if(arrayExists(row -> row.level = 'project', rows), 0, {p0:UInt64}),
    prices, arrayEnumerate(prices)), prices,
        arrayMap(rows -> arraySort(row -> (row.level = 'default', -row.effective), rows)[1].rates, prices)),
      'Tuple(names Array(String), ranks Array(UInt64),
        prices Array(Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))), newest Array(Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))')
    FROM (
      SELECT groupArray(llm_id) AS names,
        CAST(groupArray(rows), 'Array(Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64)))))') AS prices
      FROM (
        SELECT llm_id, groupArray((
          if(project_id = '', 'default', 'project'), toUnixTimestamp64Micro(effective_date),
          arrayConcat([(toInt64(-1), prompt, completion, cache_read, cache_creation)], steps))) AS rows
        FROM costs FINAL
        WHERE project_id IN ('', {p1:String}) AND deleted = 0
          AND llm_id IN (SELECT arrayJoin([toString(model) AS price_name, replaceRegexpOne(lower(price_name), {p2:String}, {p3:String}) AS price_name_0, replaceRegexpOne(price_name_0, {p4:String}, {p3:String}) AS price_name_1, replaceRegexpOne(price_name_1, {p5:String}, {p3:String}) AS price_name_2, replaceRegexpOne(price_name_2, {p6:String}, {p3:String}) AS price_name_3, replaceRegexpOne(price_name_3, {p7:String}, {p8:String}) AS price_name_4, replaceRegexpOne(price_name_4, {p9:String}, {p10:String}) AS price_name_5, replaceRegexpOne(price_name_5, {p11:String}, {p3:String}) AS price_name_6, replaceRegexpOne(price_name_6, {p12:String}, {p3:String}) AS price_name_7, replaceRegexpOne(price_name_7, {p13:String}, {p14:String}) AS price_name_8]) FROM (SELECT DISTINCT if(response_model != '', response_model, request_model) AS model FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String}))
        GROUP BY llm_id
      )
    )
  ) AS agent_prices SELECT * FROM (
    SELECT *, dense_rank() OVER (ORDER BY size DESC, k0) AS place FROM (
      SELECT *, sum(n) OVER (PARTITION BY k0) AS size FROM (SELECT roundDown(toUnixTimestamp(started_at), {p15:Array(Int64)}) AS bucket, request_model AS k0, count() AS n, quantileExactInclusive({p16:Float64})(toNullable(toFloat64(if(repeats_usage = 0, input_tokens, NULL)))) AS m0 FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p17:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p17:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p18:Int64}, 'UTC') GROUP BY bucket, k0)))
  WHERE place <= {p19:UInt64} ORDER BY bucket, place
-- p0 = "1099511627776"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "^$"
-- p3 = ""
-- p4 = "^(?:(?:openai|azure(?:[-_](?:ai|openai))?|anthropic|gemini|google(?:[-_](?:gla|vertex|genai|vertexai))?|vertex(?:[-_]?ai)?|models|publishers|projects|(?:aws-|amazon-)?bedrock(?:[-_]converse)?|openrouter|litellm(?:_proxy)?|mistral(?:ai)?|cohere(?:_chat)?|deepseek|x-?ai|groq)(?:/(?:[^/]+/)*|:)|(?:ai21|amazon[-_]nova|cerebras|dashscope|databricks|fireworks(?:_ai)?|inception|jina_ai|minimax|meta|moonshot|morph|perplexity|tencent|v0|volcengine|voyage|zai)/|arn:[^/]*/(?:[^/]+/)*)"
-- p5 = "^(?:us|us-gov|eu|apac|jp|au|ca|global)\\."
-- p6 = "^(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\\."
-- p7 = "@"
-- p8 = "-"
-- p9 = "^gpt-35"
-- p10 = "gpt-3.5"
-- p11 = "-v[0-9]+(?::[0-9]+(?::[0-9]+k)?)?$"
-- p12 = "-(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{4}|[0-9]{3,4}|latest)$"
-- p13 = "([0-9])\\.([0-9])"
-- p14 = "\\1-\\2"
-- p15 = "[1767225600,1767225900,1767226200,1767226500,1767226800,1767227100,1767227400,1767227700,1767228000,1767228300,1767228600,1767228900,1767229200,1767229500,1767229800,1767230100,1767230400,1767230700,1767231000,1767231300,1767231600,1767231900,1767232200,1767232500]"
-- p16 = 0.5
-- p17 = "whole"
-- p18 = "1767225600000000"
-- p19 = "50"

WITH (
    SELECT CAST((names, arrayMap((rows, place) -> place + if(arrayExists(row -> row.level = 'project', rows), 0, {p0:UInt64}),
    prices, arrayEnumerate(prices)), prices,
        arrayMap(rows -> arraySort(row -> (row.level = 'default', -row.effective), rows)[1].rates, prices)),
      'Tuple(names Array(String), ranks Array(UInt64),
        prices Array(Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))), newest Array(Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))')
    FROM (
      SELECT groupArray(llm_id) AS names,
        CAST(groupArray(rows), 'Array(Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64)))))') AS prices
      FROM (
        SELECT llm_id, groupArray((
          if(project_id = '', 'default', 'project'), toUnixTimestamp64Micro(effective_date),
          arrayConcat([(toInt64(-1), prompt, completion, cache_read, cache_creation)], steps))) AS rows
        FROM costs FINAL
        WHERE project_id IN ('', {p1:String}) AND deleted = 0
          AND llm_id IN (SELECT arrayJoin([toString(model) AS price_name, replaceRegexpOne(lower(price_name), {p2:String}, {p3:String}) AS price_name_0, replaceRegexpOne(price_name_0, {p4:String}, {p3:String}) AS price_name_1, replaceRegexpOne(price_name_1, {p5:String}, {p3:String}) AS price_name_2, replaceRegexpOne(price_name_2, {p6:String}, {p3:String}) AS price_name_3, replaceRegexpOne(price_name_3, {p7:String}, {p8:String}) AS price_name_4, replaceRegexpOne(price_name_4, {p9:String}, {p10:String}) AS price_name_5, replaceRegexpOne(price_name_5, {p11:String}, {p3:String}) AS price_name_6, replaceRegexpOne(price_name_6, {p12:String}, {p3:String}) AS price_name_7, replaceRegexpOne(price_name_7, {p13:String}, {p14:String}) AS price_name_8]) FROM (SELECT DISTINCT if(response_model != '', response_model, request_model) AS model FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String}))
        GROUP BY llm_id
      )
    )
  ) AS agent_prices SELECT minOrNull(v) AS least, maxOrNull(v) AS most FROM (SELECT *, toFloat64(if(repeats_usage = 0, output_tokens, NULL)) AS v FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p15:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p15:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p16:Int64}, 'UTC')) WHERE v IS NOT NULL
-- p0 = "1099511627776"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "^$"
-- p3 = ""
-- p4 = "^(?:(?:openai|azure(?:[-_](?:ai|openai))?|anthropic|gemini|google(?:[-_](?:gla|vertex|genai|vertexai))?|vertex(?:[-_]?ai)?|models|publishers|projects|(?:aws-|amazon-)?bedrock(?:[-_]converse)?|openrouter|litellm(?:_proxy)?|mistral(?:ai)?|cohere(?:_chat)?|deepseek|x-?ai|groq)(?:/(?:[^/]+/)*|:)|(?:ai21|amazon[-_]nova|cerebras|dashscope|databricks|fireworks(?:_ai)?|inception|jina_ai|minimax|meta|moonshot|morph|perplexity|tencent|v0|volcengine|voyage|zai)/|arn:[^/]*/(?:[^/]+/)*)"
-- p5 = "^(?:us|us-gov|eu|apac|jp|au|ca|global)\\."
-- p6 = "^(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\\."
-- p7 = "@"
-- p8 = "-"
-- p9 = "^gpt-35"
-- p10 = "gpt-3.5"
-- p11 = "-v[0-9]+(?::[0-9]+(?::[0-9]+k)?)?$"
-- p12 = "-(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{4}|[0-9]{3,4}|latest)$"
-- p13 = "([0-9])\\.([0-9])"
-- p14 = "\\1-\\2"
-- p15 = "whole"
-- p16 = "1767225600000000"

WITH (
    SELECT CAST((names, arrayMap((rows, place) -> place + if(arrayExists(row -> row.level = 'project', rows), 0, {p0:UInt64}),
    prices, arrayEnumerate(prices)), prices,
        arrayMap(rows -> arraySort(row -> (row.level = 'default', -row.effective), rows)[1].rates, prices)),
      'Tuple(names Array(String), ranks Array(UInt64),
        prices Array(Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))), newest Array(Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64))))')
    FROM (
      SELECT groupArray(llm_id) AS names,
        CAST(groupArray(rows), 'Array(Array(Tuple(level String, effective Int64, rates Array(Tuple(above Int64, prompt Float64, completion Float64, cache_read Float64, cache_creation Float64)))))') AS prices
      FROM (
        SELECT llm_id, groupArray((
          if(project_id = '', 'default', 'project'), toUnixTimestamp64Micro(effective_date),
          arrayConcat([(toInt64(-1), prompt, completion, cache_read, cache_creation)], steps))) AS rows
        FROM costs FINAL
        WHERE project_id IN ('', {p1:String}) AND deleted = 0
          AND llm_id IN (SELECT arrayJoin([toString(model) AS price_name, replaceRegexpOne(lower(price_name), {p2:String}, {p3:String}) AS price_name_0, replaceRegexpOne(price_name_0, {p4:String}, {p3:String}) AS price_name_1, replaceRegexpOne(price_name_1, {p5:String}, {p3:String}) AS price_name_2, replaceRegexpOne(price_name_2, {p6:String}, {p3:String}) AS price_name_3, replaceRegexpOne(price_name_3, {p7:String}, {p8:String}) AS price_name_4, replaceRegexpOne(price_name_4, {p9:String}, {p10:String}) AS price_name_5, replaceRegexpOne(price_name_5, {p11:String}, {p3:String}) AS price_name_6, replaceRegexpOne(price_name_6, {p12:String}, {p3:String}) AS price_name_7, replaceRegexpOne(price_name_7, {p13:String}, {p14:String}) AS price_name_8]) FROM (SELECT DISTINCT if(response_model != '', response_model, request_model) AS model FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String}))
        GROUP BY llm_id
      )
    )
  ) AS agent_prices SELECT toInt64(least({p15:Float64}, floor((v - {p16:Float64}) / {p17:Float64}))) AS range, count() AS n, quantileExactInclusive({p18:Float64})(toNullable(toFloat64(if(repeats_usage = 0, input_tokens, NULL)))) AS m0 FROM (SELECT *, toFloat64(if(repeats_usage = 0, output_tokens, NULL)) AS v FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p1:String} */ WHERE project_id = {p1:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p19:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p1:String} AND kind = {p19:String}) = 0) AND span_kind > 0 AND started_at >= fromUnixTimestamp64Micro({p20:Int64}, 'UTC')) WHERE v IS NOT NULL GROUP BY range ORDER BY range
-- p0 = "1099511627776"
-- p1 = "7884e5b5dd50a10f32aee608"
-- p2 = "^$"
-- p3 = ""
-- p4 = "^(?:(?:openai|azure(?:[-_](?:ai|openai))?|anthropic|gemini|google(?:[-_](?:gla|vertex|genai|vertexai))?|vertex(?:[-_]?ai)?|models|publishers|projects|(?:aws-|amazon-)?bedrock(?:[-_]converse)?|openrouter|litellm(?:_proxy)?|mistral(?:ai)?|cohere(?:_chat)?|deepseek|x-?ai|groq)(?:/(?:[^/]+/)*|:)|(?:ai21|amazon[-_]nova|cerebras|dashscope|databricks|fireworks(?:_ai)?|inception|jina_ai|minimax|meta|moonshot|morph|perplexity|tencent|v0|volcengine|voyage|zai)/|arn:[^/]*/(?:[^/]+/)*)"
-- p5 = "^(?:us|us-gov|eu|apac|jp|au|ca|global)\\."
-- p6 = "^(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\\."
-- p7 = "@"
-- p8 = "-"
-- p9 = "^gpt-35"
-- p10 = "gpt-3.5"
-- p11 = "-v[0-9]+(?::[0-9]+(?::[0-9]+k)?)?$"
-- p12 = "-(?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{2}-[0-9]{4}|[0-9]{3,4}|latest)$"
-- p13 = "([0-9])\\.([0-9])"
-- p14 = "\\1-\\2"
-- p15 = 3
-- p16 = 0
-- p17 = 2.5
-- p18 = 0.5
-- p19 = "whole"
-- p20 = "1767225600000000"
