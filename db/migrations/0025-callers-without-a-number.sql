-- Everybody who calls or writes has a thread, also without a number: `anonymous`, a short code, a name. And an item has
-- one time: created_at of the call, voicemail or message is when it arrived in its thread.

-- Waits until nobody else writes to the thread, and returns a time later than all of its items.
create function next_arrival(company uuid, phone text) returns timestamptz language plpgsql as $$
declare
  arrived timestamptz;
begin
  insert into external_numbers as known (company_id, phone_number, stamped_at)
  values (company, phone, clock_timestamp())
  on conflict (company_id, phone_number) do update
    set stamped_at = greatest(clock_timestamp(), known.stamped_at + interval '1 microsecond')
  returning stamped_at into arrived;
  return arrived;
end
$$;

create function stamp_arrival() returns trigger language plpgsql as $$
begin
  new.created_at := next_arrival(new.company_id, new.remote_number);
  return new;
end
$$;

create function stamp_voicemail_arrival() returns trigger language plpgsql as $$
begin
  new.created_at := next_arrival(new.company_id, new.from_number);
  return new;
end
$$;

create function add_inbox_item(
  company uuid, item uuid, item_type text, phone text, number uuid, is_incoming boolean, arrived timestamptz
) returns void language plpgsql as $$
begin
  insert into inbox_items (company_id, id, type, phone_number, business_number_id, incoming, arrived_at)
  values (company, item, item_type, phone, number, is_incoming, arrived);
  perform show_inbox_item(company, item);
end
$$;

create or replace function note_call_in_inbox() returns trigger language plpgsql as $$
begin
  perform add_inbox_item(
    new.company_id, new.id, 'call', new.remote_number, new.business_number_id, new.direction = 'inbound',
    new.created_at
  );
  return null;
end
$$;

create or replace function note_message_in_inbox() returns trigger language plpgsql as $$
begin
  perform add_inbox_item(
    new.company_id, new.id, 'message', new.remote_number, new.business_number_id, new.direction = 'inbound',
    new.created_at
  );
  return null;
end
$$;

create or replace function note_voicemail_in_inbox() returns trigger language plpgsql as $$
declare
  call_phone text;
begin
  perform add_inbox_item(
    new.company_id, new.id, 'voicemail', new.from_number, new.business_number_id, true, new.created_at
  );
  perform uncount_inbox_item(new.company_id, new.call_id);
  update inbox_items set replaced_by = new.id, replaced_at = new.created_at
  where company_id = new.company_id and id = new.call_id and replaced_at is null
  returning phone_number into call_phone;
  -- Where the voicemail is the newest, nothing is left to do.
  if exists (
    select from inbox_threads
    where company_id = new.company_id and phone_number = call_phone and last_item_id = new.call_id
  ) then
    perform find_last_inbox_items(new.company_id, call_phone);
  end if;
  return null;
end
$$;

drop function add_inbox_item(uuid, uuid, text, text, uuid, boolean);

drop trigger call_in_inbox on calls;
drop trigger message_in_inbox on messages;
drop trigger voicemail_in_inbox on voicemails;
drop trigger voicemail_gone_from_inbox on voicemails;

create trigger call_arrival before insert on calls for each row execute function stamp_arrival();
create trigger message_arrival before insert on messages for each row execute function stamp_arrival();
create trigger voicemail_arrival before insert on voicemails
  for each row execute function stamp_voicemail_arrival();
create trigger call_in_inbox after insert on calls for each row execute function note_call_in_inbox();
create trigger message_in_inbox after insert on messages for each row execute function note_message_in_inbox();
create trigger voicemail_in_inbox after insert on voicemails for each row execute function note_voicemail_in_inbox();
create trigger voicemail_gone_from_inbox after delete on voicemails
  for each row execute function drop_voicemail_from_inbox();

-- The text in which a search looks for words: without case, accents and differences of Unicode form. Letters that have
-- no decomposition in Unicode are replaced by those that people write for them.
create function search_text(text text) returns text language sql immutable parallel safe as $$
  select replace(replace(replace(replace(
    translate(
      lower(normalize(
        regexp_replace(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'), '\s+', ' ', 'g'), NFC
      )),
      'øđłħŧıðς', 'odlhtidσ'
    ),
    'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th')
$$;

-- A name or a short code has no plus to leave out. It is preceded by a space, so that the beginnings of its words are
-- told from their middles.
create or replace function add_external_number_ends() returns trigger language plpgsql as $$
declare
  searched text := case when new.phone_number ~ '^\+[0-9]+$'
    then new.phone_number else ' ' || search_text(new.phone_number) end;
begin
  insert into external_number_ends (company_id, digits, phone_number)
  select new.company_id, substr(searched, first), new.phone_number
  from generate_series(case when searched like '+%' then 2 else 1 end, length(searched)) as first
  on conflict do nothing;
  return null;
end
$$;

-- What such people left before now has not been seen: it was nowhere to be seen.
insert into inbox_items (company_id, id, type, phone_number, business_number_id, incoming, arrived_at)
select company_id, id, type, phone_number, business_number_id, incoming,
  created_at + interval '1 microsecond'
    * (row_number() over (partition by company_id, phone_number, created_at order by id) - 1)
from (
  select company_id, id, 'call' as type, remote_number as phone_number, business_number_id,
    direction = 'inbound' as incoming, created_at
  from calls
  union all
  select company_id, id, 'voicemail', from_number, business_number_id, true, created_at from voicemails
  union all
  select company_id, id, 'message', remote_number, business_number_id, direction = 'inbound', created_at from messages
) as known
where not is_external_number(phone_number);
update inbox_items set replaced_by = voicemails.id, replaced_at = voicemails.created_at from voicemails
where not is_external_number(phone_number)
  and inbox_items.company_id = voicemails.company_id and inbox_items.id = voicemails.call_id;
insert into external_numbers (company_id, phone_number, stamped_at)
select company_id, phone_number, max(arrived_at) from inbox_items
where not is_external_number(phone_number) group by 1, 2;
insert into inbox_threads (company_id, phone_number, with_texts, scope_id, last_item_id, last_at, unseen_count)
select company_id, phone_number, with_texts, scope_id, (array_agg(id order by arrived_at desc))[1], max(arrived_at),
  count(*) filter (where incoming)
from inbox_items, (values (true), (false)) as views (with_texts),
  lateral (values (company_id), (business_number_id)) as scopes (scope_id)
where not is_external_number(phone_number) and replaced_at is null and (with_texts or type <> 'message')
group by 1, 2, 3, 4;

drop function is_external_number(text);
