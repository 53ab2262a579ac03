SELECT concat('{"digest":"', digest, '","val":', val, ',"original_index":', toString({p0:Array(UInt64)}[i]), '}
')
    FROM (SELECT digest, val, arrayJoin(arrayFilter((i, place) -> place = (upload, n, toUInt32(digest_key)),
        arrayEnumerate({p1:Array(Tuple(UInt64, UInt64, UInt64))}), {p1:Array(Tuple(UInt64, UInt64, UInt64))})) AS i
      FROM table_rows WHERE project_id = {p2:String} AND (upload, n) IN {p3:Array(Tuple(UInt64, UInt64))})
    ORDER BY i

-- {"p0":"[7,3]","p1":[{"values":[1700000000000000,7,4294967295]},{"values":[1700000000000000,3,1]}],"p2":"p1","p3":[{"values":[1700000000000000,7]},{"values":[1700000000000000,3]}]}
