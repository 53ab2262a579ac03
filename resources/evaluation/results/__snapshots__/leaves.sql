SELECT run, splitByString({p0:String}, leaf.1) AS path, count() AS leaves,
      count(number) AS numbers, avgOrNull(number) AS mean,
      countIf(leaf.2 IN ('true', 'false')) AS known, countIf(leaf.2 = 'true') AS passed,
      countIf(startsWith(leaf.2, '"')) AS texts, countIf(startsWith(leaf.2, '{')) AS objects
    FROM (SELECT run, leaf, toFloat64OrNull(leaf.2) AS number FROM (SELECT run, arrayJoin(if(startsWith(object.2, '{'), arrayMap(member -> (concat(object.1, {p0:String}, member.1), member.2), JSONExtractKeysAndValuesRaw(object.2)), [object])) AS leaf
      FROM (SELECT run, leaf AS object FROM (SELECT indexOf({p1:Array(String)}, run) AS run, arrayJoin(arrayConcat((JSONExtractKeysAndValuesRaw(output, 'scores') AS pairs), [({p2:String}, if(empty(pairs) AND output != '' AND NOT isValidJSON(output), '"', '')),
      ({p3:String}, if(ended_at != toDateTime64(0, 6, 'UTC'), if(empty(pairs) AND JSONExtractRaw(output, 'output') IN ('', 'null')
      AND JSONExtractRaw(output, 'model_output') IN ('', 'null') AND if(empty(pairs) AND output != '' AND NOT isValidJSON(output), '"', '') = '', 'true', 'false'), '')), ({p4:String}, JSONExtractRaw(output, 'model_latency'))])) AS leaf
      FROM (SELECT parent_id AS run, output, ended_at FROM calls_open WHERE project_id = {p5:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p5:String} */ WHERE project_id = {p5:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p5:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p5:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p5:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p5:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p5:String} AND kind = {p6:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p5:String} AND kind = {p6:String}) = 0) AND parent_id IN {p1:Array(String)} AND match(op_name, {p7:String})
  UNION ALL SELECT parent_id AS run, output, ended_at FROM calls /* only project_id = {p5:String} */ WHERE project_id = {p5:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p5:String} */ WHERE project_id = {p5:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p5:String} AND kind = {p8:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p5:String} AND kind = {p8:String}) = 0) AND parent_id IN {p1:Array(String)} AND match(op_name, {p7:String}))))))
    GROUP BY run, leaf.1 ORDER BY run, path

-- {"p0":"\u0001","p1":["run-1","run-2"],"p2":"\u0003","p3":"\u0004","p4":"\u0002","p5":"p1","p6":"half","p7":"(?:^|/op/)[^/:]*\\.(?:predict_and_score|predictAndScore)(?::[^/:]*)?$","p8":"whole"}
