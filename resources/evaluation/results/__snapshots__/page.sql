SELECT row, trials, bytes, total, unknown FROM (
    SELECT row, trials, bytes, kept, countIf(kept) OVER () AS total, countIf(startsWith(row, '?')) OVER () AS unknown FROM (
      SELECT row, groupArray((started, id)) AS trials, sum(size) AS bytes, (1) AS kept
      FROM (SELECT id, run, started, row, size FROM (SELECT id, run, toUnixTimestamp64Micro(started_at) AS started, size, if(startsWith(example, 'weave:///') AND position(example, '/id/') > 0,
    substringIndex(example, '/', -1), concat('?', toString(sipHash64(if(example = '', inputs, example))))) AS row FROM (
    SELECT id, parent_id AS run, started_at, bytes AS size, inputs, JSONExtractString(inputs, 'example') AS example FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p0:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p1:String}) = 0) AND parent_id IN {p2:Array(String)} AND match(op_name, {p3:String})
  UNION ALL SELECT id, parent_id AS run, started_at, bytes AS size, inputs, JSONExtractString(inputs, 'example') AS example FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p0:String} */ WHERE project_id = {p0:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p4:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p0:String} AND kind = {p4:String}) = 0) AND parent_id IN {p2:Array(String)} AND match(op_name, {p3:String}))))
      GROUP BY row
    )
  ) WHERE kept ORDER BY row LIMIT {p5:UInt64} OFFSET {p6:UInt64}

-- {"p0":"p1","p1":"half","p2":["run-1","run-2"],"p3":"(?:^|/op/)[^/:]*\\.(?:predict_and_score|predictAndScore)(?::[^/:]*)?$","p4":"whole","p5":"100","p6":"0"}
