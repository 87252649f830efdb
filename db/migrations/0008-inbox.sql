-- The inbox: everything that passed between a company and each external number, kept ready to be read. Triggers on
-- calls, voicemails and messages fill it, so that whoever writes one of those cannot forget it. The tables have no
-- foreign keys to one another: they follow rows that have theirs.

-- Who a company has had to do with. Writers of one thread wait for each other by this row; writers of two threads
-- share nothing. No other row may refer to it: that would lock it, and readers look at who has (observeThread).
create table external_numbers (
  company_id uuid not null references companies,
  phone_number text not null,
  -- When the newest item of the thread arrived. An item gets its time while this row is locked: what another
  -- transaction has yet to commit is always later than all that can be read.
  stamped_at timestamptz not null,
  primary key (company_id, phone_number)
);

-- Each number without its first digit, without its first two, and so on: a part of a number is the beginning of one.
create table external_number_ends (
  company_id uuid not null,
  digits text collate "C" not null,
  phone_number text not null,
  primary key (company_id, digits, phone_number)
);

create table inbox_items (
  company_id uuid not null,
  -- Of the call, the voicemail or the message.
  id uuid not null,
  type text not null check (type in ('call', 'voicemail', 'message')),
  phone_number text not null,
  business_number_id uuid not null,
  incoming boolean not null,
  -- By this it is ordered; no two of a thread are the same.
  arrived_at timestamptz not null,
  seen_at timestamptz,
  -- A call gives way to the voicemail that was left in it.
  replaced_by uuid,
  replaced_at timestamptz,
  primary key (company_id, id)
);
-- A page of a thread is read backwards from one of these: of all numbers or one, with all there is or without texts.
create index inbox_items_of_thread on inbox_items (company_id, phone_number, arrived_at);
create index inbox_items_between on inbox_items (company_id, phone_number, business_number_id, arrived_at);
create index inbox_items_of_thread_without_texts on inbox_items (company_id, phone_number, arrived_at)
  where type <> 'message';
create index inbox_items_between_without_texts
  on inbox_items (company_id, phone_number, business_number_id, arrived_at) where type <> 'message';
create index inbox_items_unseen on inbox_items (company_id, phone_number, arrived_at)
  where incoming and seen_at is null;

-- What the list of threads shows, for each way to look at it: of one business number or of the whole company, with
-- texts or, while the company has no messaging, without. Switching that on or off changes no row.
create table inbox_threads (
  company_id uuid not null,
  phone_number text not null,
  with_texts boolean not null,
  -- A business number, or the company for all its numbers.
  scope_id uuid not null,
  last_item_id uuid not null,
  last_at timestamptz not null,
  unseen_count integer not null check (unseen_count >= 0),
  primary key (company_id, phone_number, with_texts, scope_id)
);
create index inbox_threads_by_time on inbox_threads (company_id, scope_id, with_texts, last_at, phone_number);
create index inbox_threads_unseen on inbox_threads (company_id, scope_id, with_texts, last_at, phone_number)
  where unseen_count > 0;

create function add_external_number_ends() returns trigger language plpgsql as $$
begin
  insert into external_number_ends (company_id, digits, phone_number)
  select new.company_id, substr(new.phone_number, first), new.phone_number
  from generate_series(2, length(new.phone_number)) as first;
  return null;
end
$$;
create trigger external_number_ends after insert on external_numbers
  for each row execute function add_external_number_ends();

-- Waits until nobody else writes to the thread. An update, not a lock: that would outlive the transaction.
create function hold_inbox_thread(company uuid, phone text) returns void language plpgsql as $$
begin
  update external_numbers set stamped_at = stamped_at where company_id = company and phone_number = phone;
end
$$;

-- Shows the item as the newest of its thread.
create function show_inbox_item(company uuid, item uuid) returns void language plpgsql as $$
begin
  insert into inbox_threads as thread
    (company_id, phone_number, with_texts, scope_id, last_item_id, last_at, unseen_count)
  select company, phone_number, with_texts, scope_id, id, arrived_at, (incoming and seen_at is null)::integer
  from inbox_items, (values (true), (false)) as views (with_texts),
    lateral (values (company), (business_number_id)) as scopes (scope_id)
  where company_id = company and id = item and (with_texts or type <> 'message')
  on conflict (company_id, phone_number, with_texts, scope_id) do update
    set last_item_id = excluded.last_item_id, last_at = excluded.last_at,
      unseen_count = thread.unseen_count + excluded.unseen_count;
end
$$;

-- Leaves the item out of what is unseen, in every way to look at its thread.
create function uncount_inbox_item(company uuid, item uuid) returns void language plpgsql as $$
begin
  update inbox_threads thread set unseen_count = unseen_count - 1
  from inbox_items
  where inbox_items.company_id = company and id = item and incoming and seen_at is null and replaced_at is null
    and thread.company_id = company and thread.phone_number = inbox_items.phone_number
    and (with_texts or type <> 'message') and scope_id in (company, business_number_id);
end
$$;

-- Finds the newest items of a thread anew, after one of them went.
create function find_last_inbox_items(company uuid, phone text) returns void language plpgsql as $$
declare
  thread record;
  newest record;
begin
  for thread in
    select with_texts, scope_id from inbox_threads where company_id = company and phone_number = phone
  loop
    select id, arrived_at into newest from inbox_items
    where company_id = company and phone_number = phone and replaced_at is null
      and (thread.with_texts or type <> 'message') and thread.scope_id in (company, business_number_id)
    order by arrived_at desc limit 1;
    if found then
      update inbox_threads set last_item_id = newest.id, last_at = newest.arrived_at
      where company_id = company and phone_number = phone
        and with_texts = thread.with_texts and scope_id = thread.scope_id;
    else
      delete from inbox_threads
      where company_id = company and phone_number = phone
        and with_texts = thread.with_texts and scope_id = thread.scope_id;
    end if;
  end loop;
end
$$;

-- Returns when the item arrived.
create function add_inbox_item(company uuid, item uuid, item_type text, phone text, number uuid, is_incoming boolean)
returns timestamptz language plpgsql as $$
declare
  arrived timestamptz;
begin
  insert into external_numbers as known (company_id, phone_number, stamped_at)
  values (company, phone, clock_timestamp())
  on conflict (company_id, phone_number) do update
    set stamped_at = greatest(clock_timestamp(), known.stamped_at + interval '1 microsecond')
  returning stamped_at into arrived;
  insert into inbox_items (company_id, id, type, phone_number, business_number_id, incoming, arrived_at)
  values (company, item, item_type, phone, number, is_incoming, arrived);
  perform show_inbox_item(company, item);
  return arrived;
end
$$;

create function note_call_in_inbox() returns trigger language plpgsql as $$
begin
  perform add_inbox_item(
    new.company_id, new.id, 'call', new.remote_number, new.business_number_id, new.direction = 'inbound'
  );
  return null;
end
$$;

create function note_message_in_inbox() returns trigger language plpgsql as $$
begin
  perform add_inbox_item(
    new.company_id, new.id, 'message', new.remote_number, new.business_number_id, new.direction = 'inbound'
  );
  return null;
end
$$;

create function note_voicemail_in_inbox() returns trigger language plpgsql as $$
declare
  arrived timestamptz :=
    add_inbox_item(new.company_id, new.id, 'voicemail', new.from_number, new.business_number_id, true);
  call_phone text;
begin
  perform uncount_inbox_item(new.company_id, new.call_id);
  update inbox_items set replaced_by = new.id, replaced_at = arrived
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

-- A call that the voicemail replaced comes back.
create function drop_voicemail_from_inbox() returns trigger language plpgsql as $$
declare
  call_phone text;
begin
  perform hold_inbox_thread(old.company_id, old.from_number);
  perform uncount_inbox_item(old.company_id, old.id);
  delete from inbox_items where company_id = old.company_id and id = old.id;
  perform find_last_inbox_items(old.company_id, old.from_number);
  update inbox_items set replaced_by = null, replaced_at = null
  where company_id = old.company_id and id = old.call_id and replaced_by = old.id
  returning phone_number into call_phone;
  if found then
    perform show_inbox_item(old.company_id, old.call_id);
    perform find_last_inbox_items(old.company_id, call_phone);
  end if;
  return null;
end
$$;

-- A caller who withholds the number has no thread.
create function is_external_number(phone text) returns boolean language sql immutable parallel safe as $$
  select phone ~ '^\+[1-9][0-9]{1,14}$'
$$;

-- What was there before the inbox has been seen.
insert into inbox_items (company_id, id, type, phone_number, business_number_id, incoming, arrived_at, seen_at)
select company_id, id, type, phone_number, business_number_id, incoming,
  created_at + interval '1 microsecond'
    * (row_number() over (partition by company_id, phone_number, created_at order by id) - 1),
  case when incoming then now() end
from (
  select company_id, id, 'call' as type, remote_number as phone_number, business_number_id,
    direction = 'inbound' as incoming, created_at
  from calls
  union all
  select company_id, id, 'voicemail', from_number, business_number_id, true, created_at from voicemails
  union all
  select company_id, id, 'message', remote_number, business_number_id, direction = 'inbound', created_at from messages
) as known
where is_external_number(phone_number);
update messages set seen_at = now() where direction = 'inbound';
update inbox_items set replaced_by = voicemails.id, replaced_at = voicemails.created_at from voicemails
where inbox_items.company_id = voicemails.company_id and inbox_items.id = voicemails.call_id;
insert into external_numbers (company_id, phone_number, stamped_at)
select company_id, phone_number, max(arrived_at) from inbox_items group by 1, 2;
insert into inbox_threads (company_id, phone_number, with_texts, scope_id, last_item_id, last_at, unseen_count)
select company_id, phone_number, with_texts, scope_id, (array_agg(id order by arrived_at desc))[1], max(arrived_at), 0
from inbox_items, (values (true), (false)) as views (with_texts),
  lateral (values (company_id), (business_number_id)) as scopes (scope_id)
where replaced_at is null and (with_texts or type <> 'message')
group by 1, 2, 3, 4;

create trigger call_in_inbox after insert on calls
  for each row when (is_external_number(new.remote_number)) execute function note_call_in_inbox();
create trigger message_in_inbox after insert on messages
  for each row when (is_external_number(new.remote_number)) execute function note_message_in_inbox();
create trigger voicemail_in_inbox after insert on voicemails
  for each row when (is_external_number(new.from_number)) execute function note_voicemail_in_inbox();
create trigger voicemail_gone_from_inbox after delete on voicemails
  for each row when (is_external_number(old.from_number)) execute function drop_voicemail_from_inbox();

-- For finding contacts by any part of what is known of them.
create extension if not exists pg_trgm;

-- On one line, in small letters, each word after a space.
create function contact_text(name text, company_name text, email text, note text) returns text
language sql immutable parallel safe as $$
  select lower(translate(
    ' ' || coalesce(name, '') || ' ' || coalesce(company_name, '') || ' ' || coalesce(email, '') || ' '
      || coalesce(note, ''),
    E'\n\r\t', '   '
  ))
$$;

-- The text with every letter that is not of ASCII written as the digits of its bytes: whatever the locale of the
-- database, some letters are none to pg_trgm, and a text of such letters alone would be looked for everywhere.
create function in_ascii(text text) returns text language sql immutable parallel safe as $$
  select encode(convert_to(text, 'UTF8'), 'escape')
$$;

-- Numbered over all companies, so that the number of a slice alone says whose contacts it has.
create sequence contact_slice_ids as integer;

-- Contacts in slices, as calls are (0003): a search goes through them from the newest and stops when it has enough.
create table contact_slices (
  company_id uuid not null references companies,
  id integer not null default nextval('contact_slice_ids'),
  primary key (company_id, id)
);

alter table contacts add column slice integer;

create function choose_contact_slice() returns trigger language plpgsql as $$
begin
  select max(id) into new.slice from contact_slices where company_id = new.company_id;
  -- One id in 16,384, by its random end, begins a new slice: counting would make all writers wait for one another.
  if new.slice is null or right(new.id::text, 4) in ('0000', '1000', '2000', '3000') then
    insert into contact_slices (company_id) values (new.company_id) returning id into new.slice;
  end if;
  return new;
end
$$;
create trigger contact_slice before insert on contacts for each row execute function choose_contact_slice();

insert into contact_slices (company_id) select distinct company_id from contacts;
update contacts set slice = contact_slices.id from contact_slices
where contact_slices.company_id = contacts.company_id;
alter table contacts alter column slice set not null;

create index contacts_text on contacts
  using gin (slice, in_ascii(contact_text(name, company_name, email, note)) gin_trgm_ops);
