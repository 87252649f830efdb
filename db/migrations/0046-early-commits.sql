-- A step of a call is sent to PostgreSQL with its COMMIT, so it cannot be followed by other statements. This ends it if
-- it must be, because somebody has subscribed to its events: it is then repeated without that COMMIT.
create function refuse_early_commit() returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'BH001', message = 'the transaction needs more statements, which is no error';
end
$$;

-- An id as clients see it, such as cal_01h455vb4pex5vsknk084sn02q (see server/platform/ids.ts).
create function type_id(prefix text, id uuid) returns text language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from place for 5)::bit(5)::integer + 1, 1), '' order by place
  )
  from (select B'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) as padded,
    generate_series(1, 126, 5) as place
$$;
