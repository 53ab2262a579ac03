SELECT id, name, description, scorer_refs, created_by,
  toUnixTimestamp64Micro(created_at) AS created_us, toUnixTimestamp64Micro(updated_at) AS updated_us,
  toUnixTimestamp64Micro(deleted_at) AS deleted_us FROM annotation_queues FINAL
    WHERE project_id = {p0:String} AND deleted_us = 0
    ORDER BY created_at DESC, id DESC

-- {"p0":"7884e5b5dd50a10f32aee608"}
