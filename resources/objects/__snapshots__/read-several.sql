SELECT * EXCEPT (live, newest) FROM (
    SELECT *, row_number() OVER (PARTITION BY project_id, object_id ORDER BY is_latest DESC, deleted_at DESC, digest) = 1 AS newest
    FROM (SELECT project_id, object_id, digest, kind, base_class, leaf_class, bytes,
    toUnixTimestamp64Micro(first.at) AS created_at, first.by AS user_id, if(live, 0, deleted) AS deleted_at,
    written AS written_ver, deleted AS deleted_ver, live,
    row_number() OVER (PARTITION BY project_id, object_id ORDER BY first, digest) - 1 AS version_index,
    live AND row_number() OVER (PARTITION BY project_id, object_id ORDER BY live DESC, written DESC, digest DESC) = 1 AS is_latest
  FROM (SELECT project_id, object_id, digest, max(kind) AS kind, max(base_class) AS base_class,
    max(leaf_class) AS leaf_class, max(bytes) AS bytes, min(created) AS first, max(written_ver) AS written,
    max(deleted_ver) AS deleted, written > deleted AS live
  FROM objects /* only object_id = {p0:Array(String)} */ WHERE (project_id, object_id) IN {p1:Array(Tuple(String, String))} GROUP BY project_id, object_id, digest))
  ) WHERE (project_id, object_id, digest) IN {p2:Array(Tuple(String, String, String))} OR (project_id, object_id, version_index) IN {p3:Array(Tuple(String, String, UInt64))} OR ((project_id, object_id) IN {p4:Array(Tuple(String, String))} AND newest)

-- {"p0":["thing"],"p1":[{"values":["p1","thing"]},{"values":["p1","thing"]},{"values":["p1","thing"]}],"p2":[{"values":["p1","thing","d"]}],"p3":[{"values":["p1","thing",3]}],"p4":[{"values":["p1","thing"]}]}
