SELECT * EXCEPT (live) FROM (SELECT project_id, object_id, digest, kind, base_class, leaf_class, bytes,
    toUnixTimestamp64Micro(first.at) AS created_at, first.by AS user_id, if(live, 0, deleted) AS deleted_at,
    written AS written_ver, deleted AS deleted_ver, live,
    row_number() OVER (PARTITION BY project_id, object_id ORDER BY first, digest) - 1 AS version_index,
    live AND row_number() OVER (PARTITION BY project_id, object_id ORDER BY live DESC, written DESC, digest DESC) = 1 AS is_latest
  FROM (SELECT project_id, object_id, digest, max(kind) AS kind, max(base_class) AS base_class,
    max(leaf_class) AS leaf_class, max(bytes) AS bytes, min(created) AS first, max(written_ver) AS written,
    max(deleted_ver) AS deleted, written > deleted AS live
  FROM objects WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)} GROUP BY project_id, object_id, digest)) WHERE live AND base_class IN {p2:Array(String)} AND base_class NOT IN {p3:Array(String)} AND leaf_class IN {p4:Array(String)} AND kind != 'op' AND is_latest AND (object_id, digest) IN (SELECT object_id, digest FROM (SELECT object_id, digest, tag AS name FROM (
    SELECT object_id, digest, tag, argMax(live, ver) AS set, max(ver) AS since FROM object_tags
    WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)} GROUP BY object_id, digest, tag HAVING set = 1
  ) AS t INNER JOIN (SELECT object_id, digest, deleted FROM (SELECT project_id, object_id, digest, max(kind) AS kind, max(base_class) AS base_class,
    max(leaf_class) AS leaf_class, max(bytes) AS bytes, min(created) AS first, max(written_ver) AS written,
    max(deleted_ver) AS deleted, written > deleted AS live
  FROM objects WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)} GROUP BY project_id, object_id, digest) WHERE live) AS o USING (object_id, digest) WHERE since > deleted) WHERE name IN {p5:Array(String)}) AND (is_latest OR (object_id, digest) IN (SELECT object_id, digest FROM (SELECT object_id, digest, name FROM (
    SELECT object_id, alias AS name, argMax(digest, ver) AS digest, max(ver) AS since FROM object_aliases
    WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)} GROUP BY object_id, alias HAVING digest != ''
  ) AS t INNER JOIN (SELECT object_id, digest, deleted FROM (SELECT project_id, object_id, digest, max(kind) AS kind, max(base_class) AS base_class,
    max(leaf_class) AS leaf_class, max(bytes) AS bytes, min(created) AS first, max(written_ver) AS written,
    max(deleted_ver) AS deleted, written > deleted AS live
  FROM objects WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)} GROUP BY project_id, object_id, digest) WHERE live) AS o USING (object_id, digest) WHERE since > deleted) WHERE name IN {p6:Array(String)}))
    ORDER BY object_id DESC, version_index, object_id LIMIT {p7:UInt64} OFFSET {p8:UInt64}

-- {"p0":"p1","p1":["a","b'); DROP TABLE objects; --"],"p2":["Model"],"p3":["Scorer"],"p4":["Mine"],"p5":["good"],"p6":["prod","latest"],"p7":"10","p8":"5"}
