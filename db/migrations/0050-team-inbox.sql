-- In steps: calls and texts can be written all the while.

-- The team's inbox: threads are done, snoozed, assigned and annotated, for the whole company.

-- Of use in the rows of the whole company only; those of a business number keep the defaults.
alter table inbox_threads
  -- The order of the list: 0 done, 1 snoozed, 2 open, 3 back from a snooze.
  add column if not exists standing smallint not null default 2,
  add column if not exists assignee_id uuid,
  -- When it was last done or snoozed, and by whom.
  add column if not exists closed_at timestamptz,
  add column if not exists closed_by uuid,
  add column if not exists snoozed_until timestamptz;

-- Shows the item as the newest of its thread. If something new comes in, the same update reopens the thread; if something
-- goes out, the thread has been dealt with since its snooze. Neither is given for an item that reappears.
drop function if exists show_inbox_item(uuid, uuid);
create or replace function show_inbox_item(company uuid, item uuid, comes_in boolean default null) returns void
language plpgsql as $$
begin
  insert into inbox_threads as thread
    (company_id, phone_number, with_texts, scope_id, last_item_id, last_at, unseen_count)
  select company, phone_number, with_texts, scope_id, id, arrived_at, (incoming and seen_at is null)::integer
  from inbox_items, (values (true), (false)) as views (with_texts),
    lateral (values (company), (business_number_id)) as scopes (scope_id)
  where company_id = company and id = item and (with_texts or type <> 'message')
  on conflict (company_id, phone_number, with_texts, scope_id) do update
    set last_item_id = excluded.last_item_id, last_at = excluded.last_at,
      unseen_count = thread.unseen_count + excluded.unseen_count,
      standing = case when comes_in then 2 when not comes_in then least(thread.standing, 2) else thread.standing end;
end
$$;

create or replace function add_inbox_item(
  company uuid, item uuid, item_type text, phone text, number uuid, is_incoming boolean, arrived timestamptz
) returns void language plpgsql as $$
begin
  insert into inbox_items (company_id, id, type, phone_number, business_number_id, incoming, arrived_at)
  values (company, item, item_type, phone, number, is_incoming, arrived);
  perform show_inbox_item(company, item, comes_in => is_incoming);
end
$$;

-- Written by employees for each other: never sent to the customer.
create table if not exists thread_notes (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  phone_number text not null,
  -- No foreign key: the note stays when its author leaves, with the name as it was (former_employees).
  author_id uuid not null,
  text text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index if not exists thread_notes_of_thread on thread_notes (company_id, phone_number, id);

create table if not exists note_mentions (
  company_id uuid not null,
  note_id uuid not null,
  employee_id uuid not null,
  phone_number text not null,
  seen_at timestamptz,
  primary key (company_id, note_id, employee_id),
  foreign key (company_id, note_id) references thread_notes (company_id, id) on delete cascade,
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
create index if not exists note_mentions_unseen on note_mentions (company_id, employee_id, phone_number) where seen_at is null;
create index if not exists note_mentions_of_employee on note_mentions (company_id, employee_id);

-- Who is writing to whom at the moment. Unlogged: after a crash of the database nobody is known to be writing.
create unlogged table if not exists thread_writers (
  company_id uuid not null,
  phone_number text not null,
  employee_id uuid not null,
  until timestamptz not null,
  primary key (company_id, phone_number, employee_id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
create index if not exists thread_writers_of_employee on thread_writers (company_id, employee_id);

-- The call that the voicemail replaced comes back, but nothing is new: the thread stays as it is. It comes back first, so
-- that the thread is not empty meanwhile. Notes go with the last item of their thread.
create or replace function drop_voicemail_from_inbox() returns trigger language plpgsql as $$
declare
  call_phone text;
  other record;
begin
  perform hold_inbox_thread(old.company_id, old.from_number);
  perform uncount_inbox_item(old.company_id, old.id);
  delete from inbox_items where company_id = old.company_id and id = old.id;
  select inbox_items.id, arrived_at into other
  from voicemails join inbox_items using (company_id, id)
  where company_id = old.company_id and call_id = old.call_id
  order by arrived_at limit 1;
  update inbox_items set replaced_by = other.id, replaced_at = other.arrived_at
  where company_id = old.company_id and id = old.call_id and replaced_by = old.id
  returning phone_number into call_phone;
  perform find_last_inbox_items(old.company_id, old.from_number);
  if call_phone is not null and other.id is null then
    perform show_inbox_item(old.company_id, old.call_id);
    perform find_last_inbox_items(old.company_id, call_phone);
  end if;
  delete from thread_notes
  where company_id = old.company_id and phone_number = old.from_number and not exists (
    select from inbox_items where company_id = old.company_id and phone_number = old.from_number
  );
  return null;
end
$$;

-- A trigger, because processes of an older version delete contacts too. Whoever deletes a contact wants what is written
-- about that person gone.
create or replace function drop_notes_of_contact() returns trigger language plpgsql as $$
begin
  delete from thread_notes where company_id = old.company_id and phone_number = old.phone;
  return null;
end
$$;
create or replace trigger contact_notes_gone after delete on contacts
  for each row execute function drop_notes_of_contact();

-- Next step
drop index concurrently if exists inbox_threads_by_standing;

-- Next step
create index concurrently inbox_threads_by_standing
  on inbox_threads (company_id, scope_id, with_texts, standing, last_at, phone_number);

-- Next step
drop index concurrently if exists inbox_threads_assigned;

-- Next step
create index concurrently inbox_threads_assigned
  on inbox_threads (company_id, assignee_id, scope_id, with_texts, standing, last_at, phone_number)
  where assignee_id is not null;

-- Next step

-- What was assigned to an employee who leaves is nobody's. The threads are held in the order of their numbers, as by
-- whoever marks many as seen.
create or replace function keep_former_employee() returns trigger language plpgsql as $$
declare
  assigned text;
begin
  insert into former_employees (company_id, id, name) values (old.company_id, old.id, old.name);
  for assigned in
    select distinct phone_number from inbox_threads
    where company_id = old.company_id and assignee_id = old.id order by phone_number
  loop
    perform hold_inbox_thread(old.company_id, assigned);
    update inbox_threads set assignee_id = null
    where company_id = old.company_id and phone_number = assigned and assignee_id = old.id;
  end loop;
  perform pg_notify('employee_gone', old.id::text);
  return null;
end
$$;

-- Next step

-- Replaced by inbox_threads_by_standing, so that a call writes no more index entries than before. Processes of the
-- previous version sort the threads of a list themselves until they are replaced.
drop index concurrently if exists inbox_threads_by_time;
