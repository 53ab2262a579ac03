SELECT row, trials, bytes, total, unknown FROM (
    SELECT row, trials, bytes, kept, countIf(kept) OVER () AS total, countIf(startsWith(row, '?')) OVER () AS unknown FROM (
      SELECT row, groupArray((started, id)) AS trials, sum(size) AS bytes, (uniqExact(run) = {p0:UInt64}) AS kept
      FROM (SELECT id, run, started, row, size FROM (SELECT id, run, toUnixTimestamp64Micro(started_at) AS started, size, if(startsWith(example, 'weave:///') AND position(example, '/id/') > 0,
    substringIndex(example, '/', -1), if(JSONExtractString(attributes, 'weave', {p1:String}) != '', JSONExtractString(attributes, 'weave', {p1:String}), transform(sipHash64(if(example = '', inputs, example)), {p2:Array(UInt64)}, {p3:Array(String)}, concat('?', toString(sipHash64(if(example = '', inputs, example))))))) AS row FROM (
    SELECT id, parent_id AS run, started_at, bytes AS size, inputs, JSONExtractString(inputs, 'example') AS example, attributes FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND (id NOT IN (SELECT id FROM calls /* only project_id = {p4:String} */ WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String}))) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String}) = 0) AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id) AS newest
    FROM calls_open WHERE project_id = {p4:String} AND kind = 'start' AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p5:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p5:String}) = 0) AND parent_id IN {p6:Array(String)} AND match(op_name, {p7:String})
  UNION ALL SELECT id, parent_id AS run, started_at, bytes AS size, inputs, JSONExtractString(inputs, 'example') AS example, attributes FROM calls /* only project_id = {p4:String} */ WHERE project_id = {p4:String} AND ((id, ver) NOT IN (SELECT id, ver FROM (
    SELECT id, ver, max(ver) OVER (PARTITION BY id, if(length(id) = 16, (trace_id, started_at), ('', toDateTime64(0, 6, 'UTC')))) AS newest
    FROM calls /* only project_id = {p4:String} */ WHERE project_id = {p4:String} AND id IN (SELECT id FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p8:String})) WHERE ver < newest) OR (SELECT count() FROM calls_unsettled WHERE project_id = {p4:String} AND kind = {p8:String}) = 0) AND parent_id IN {p6:Array(String)} AND match(op_name, {p7:String}))))
      GROUP BY row
    )
  ) WHERE kept ORDER BY row LIMIT {p9:UInt64} OFFSET {p10:UInt64}

-- {"p0":"2","p1":"row_digest","p2":"[1,2]","p3":["d1","d2"],"p4":"p1","p5":"half","p6":["run-1","run-2"],"p7":"(?:^|/op/)[^/:]*\\.(?:predict_and_score|predictAndScore)(?::[^/:]*)?$","p8":"whole","p9":"100","p10":"0"}
