SELECT id, call_id, toUnixTimestamp64Micro(call_started_at) AS started_us,
    toUnixTimestamp64Micro(call_ended_at) AS ended_us, call_op_name, call_trace_id, display_fields, added_by,
    toUnixTimestamp64Micro(created_at) AS created_us, state, annotator, updated_us,
    row_number() OVER (ORDER BY created_at, id) AS position
  FROM (
    SELECT items.*, if(progress.item_id = '', 'unstarted', progress.newest) AS state,
      progress.annotator AS annotator,
      if(progress.item_id = '', toUnixTimestamp64Micro(created_at), progress.changed_us) AS updated_us
    FROM (
      SELECT * FROM annotation_queue_items FINAL
      WHERE project_id = {p0:String} AND queue_id = {p1:String}
    ) AS items
    LEFT JOIN (
      SELECT item_id, toString(argMax(state, (updated_at, ver))) AS newest,
        argMax(annotator_id, (updated_at, ver)) AS annotator, toUnixTimestamp64Micro(max(updated_at)) AS changed_us
      FROM annotation_progress FINAL
      WHERE project_id = {p0:String} AND queue_id = {p1:String} AND annotator_id = {p1:String}
      GROUP BY item_id
    ) AS progress ON items.id = progress.item_id
  )
  
  ORDER BY position

-- {"p0":"7884e5b5dd50a10f32aee608","p1":"'); DROP TABLE annotation_queues; --"}
