SELECT question AS feedback_type, count() AS items, sum(n) AS answers, sum(n * (n - 1)) AS pairs,
    sum(same - n) AS equal, sum((n * n - same) / (n - 1)) AS differing,
    arraySum(total -> total * total, sumMap(given, times).2) AS squares
  FROM (
    SELECT question, call_id, sum(c) AS n, sum(c * c) AS same, groupArray(value) AS given, groupArray(c) AS times
    FROM (
      SELECT question, call_id, value, count() AS c
      FROM (
        SELECT feedback_type AS question, call_id, user_id,
          argMax(JSONExtractRaw(payload, 'value'), (created_at, id)) AS value
        FROM feedback FINAL
        WHERE project_id = {p0:String} AND queue_id = {p0:String} AND deleted = 0 AND annotation_ref != ''
          AND call_id IN (SELECT call_id FROM annotation_queue_items WHERE project_id = {p0:String} AND queue_id = {p0:String})
        GROUP BY question, call_id, user_id
      )
      GROUP BY question, call_id, value
    )
    GROUP BY question, call_id HAVING n > 1
  )
  GROUP BY question ORDER BY question

-- {"p0":"'); DROP TABLE annotation_queues; --"}
