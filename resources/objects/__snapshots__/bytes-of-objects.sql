SELECT sum(bytes) AS bytes FROM (SELECT project_id, object_id, digest, max(kind) AS kind, max(base_class) AS base_class,
    max(leaf_class) AS leaf_class, max(bytes) AS bytes, min(created) AS first, max(written_ver) AS written,
    max(deleted_ver) AS deleted, written > deleted AS live
  FROM objects WHERE project_id = {p0:String} GROUP BY project_id, object_id, digest) WHERE live

-- {"p0":"p1"}
