-- The caller waits until an inbound call is stored, so an edge stores it without its place in the inbox and adds that
-- once the call is answered. Only then does the call have its time in the thread. Whatever else is written of the call
-- before that adds it as well: a process of any version that ends it, if the edge is lost.
alter table calls add column in_inbox boolean not null default true;

create or replace trigger call_arrival before insert on calls
  for each row when (new.in_inbox) execute function stamp_arrival();
create or replace trigger call_in_inbox after insert on calls
  for each row when (new.in_inbox) execute function note_call_in_inbox();

create function enter_inbox_later() returns trigger language plpgsql as $$
begin
  new.in_inbox := true;
  new.created_at := next_arrival(new.company_id, new.remote_number);
  perform add_inbox_item(
    new.company_id, new.id, 'call', new.remote_number, new.business_number_id, new.direction = 'inbound',
    new.created_at
  );
  return new;
end
$$;
create trigger call_in_inbox_later before update on calls
  for each row when (not old.in_inbox) execute function enter_inbox_later();

-- The same ids as before, of one expression: PostgreSQL makes it a part of the statement instead of calling a function.
-- The first 60 bits, apart from the version, are the time in units of 1/4096 ms.
create or replace function new_id() returns uuid language sql volatile parallel safe as $$
  select (
    overlay(
      lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0')
      placing '7' from 13 for 0
    ) || substr(replace(gen_random_uuid()::text, '-', ''), 17)
  )::uuid
$$;
