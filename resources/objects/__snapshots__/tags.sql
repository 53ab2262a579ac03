SELECT object_id, digest, tag AS name FROM (
    SELECT object_id, digest, tag, argMax(live, ver) AS set, max(ver) AS since FROM object_tags
    WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)} GROUP BY object_id, digest, tag HAVING set = 1
  ) AS t INNER JOIN (SELECT object_id, digest, deleted FROM (SELECT project_id, object_id, digest, max(kind) AS kind, max(base_class) AS base_class,
    max(leaf_class) AS leaf_class, max(bytes) AS bytes, min(created) AS first, max(written_ver) AS written,
    max(deleted_ver) AS deleted, written > deleted AS live
  FROM objects WHERE project_id = {p0:String} AND object_id IN {p1:Array(String)} GROUP BY project_id, object_id, digest) WHERE live) AS o USING (object_id, digest) WHERE since > deleted

-- {"p0":"p1","p1":["thing"]}
