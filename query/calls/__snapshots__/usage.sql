SELECT id, parent_id, ended_at = toDateTime64(0, 6, 'UTC') AS running, arrayMap(of_model -> (of_model.1, JSONExtractInt(of_model.2, {p0:String}), JSONExtractInt(of_model.2, {p1:String}) + JSONExtractInt(of_model.2, {p2:String}), JSONExtractInt(of_model.2, {p3:String}) + JSONExtractInt(of_model.2, {p4:String}),
  if(JSONExtractInt(of_model.2, {p5:String}) > 0, JSONExtractInt(of_model.2, {p5:String}), JSONExtractInt(of_model.2, {p1:String}) + JSONExtractInt(of_model.2, {p2:String}) + JSONExtractInt(of_model.2, {p3:String}) + JSONExtractInt(of_model.2, {p4:String})),
  JSONExtractInt(of_model.2, {p6:String}), JSONExtractInt(of_model.2, {p7:String})), JSONExtractKeysAndValuesRaw(summary, 'usage')) AS usage
  FROM (SELECT id, parent_id, ended_at, ver, summary FROM calls WHERE project_id = {p8:String} AND trace_id IN (SELECT trace_id FROM calls WHERE project_id = {p8:String} AND id IN {p9:Array(String)}
  UNION ALL SELECT trace_id FROM calls_open WHERE project_id = {p8:String} AND kind = 'start' AND id IN {p9:Array(String)}) LIMIT {p10:UInt64}
  UNION ALL SELECT id, parent_id, ended_at, ver, summary FROM calls_open WHERE project_id = {p8:String} AND kind = 'start' AND trace_id IN (SELECT trace_id FROM calls WHERE project_id = {p8:String} AND id IN {p9:Array(String)}
  UNION ALL SELECT trace_id FROM calls_open WHERE project_id = {p8:String} AND kind = 'start' AND id IN {p9:Array(String)}) LIMIT {p10:UInt64}) ORDER BY id, ver DESC LIMIT 1 BY id LIMIT {p10:UInt64}
-- p0 = "requests"
-- p1 = "prompt_tokens"
-- p2 = "input_tokens"
-- p3 = "completion_tokens"
-- p4 = "output_tokens"
-- p5 = "total_tokens"
-- p6 = "cache_read_input_tokens"
-- p7 = "cache_creation_input_tokens"
-- p8 = "7884e5b5dd50a10f32aee608"
-- p9 = ["x"]
-- p10 = "10001"
