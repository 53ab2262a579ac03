SELECT id, name, description, scorer_refs, created_by,
  toUnixTimestamp64Micro(created_at) AS created_us, toUnixTimestamp64Micro(updated_at) AS updated_us,
  toUnixTimestamp64Micro(deleted_at) AS deleted_us FROM annotation_queues FINAL
    WHERE project_id = {p0:String} AND deleted_us = 0 AND positionCaseInsensitiveUTF8(name, {p1:String}) > 0
    ORDER BY name DESC, id LIMIT {p2:UInt64} OFFSET {p3:UInt64}

-- {"p0":"7884e5b5dd50a10f32aee608","p1":"'); DROP TABLE annotation_queues; --","p2":"10","p3":"5"}
