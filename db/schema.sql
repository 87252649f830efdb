-- What the migrations add up to, to be read: migrations make it, and a test keeps it true.
-- After a new migration, `npx vitest run test/schema.test.ts -u` writes it anew.

create extension btree_gin;

create extension pg_trgm;

create sequence call_slice_ids as integer;

create sequence contact_slice_ids as integer;

create sequence meaning_cell_ids as integer;

create sequence menu_option_ids as integer;

create sequence transcript_turn_numbers as bigint;

CREATE OR REPLACE FUNCTION public.add_external_number_ends()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.add_inbox_item(company uuid, item uuid, item_type text, phone text, number uuid, is_incoming boolean, arrived timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into inbox_items (company_id, id, type, phone_number, business_number_id, incoming, arrived_at)
  values (company, item, item_type, phone, number, is_incoming, arrived);
  perform show_inbox_item(company, item, comes_in => is_incoming);
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_access_token_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access_token_gone', encode(old.token_hash, 'hex'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_api_key_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('api_key_gone', old.id::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_device_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('device_gone', concat_ws(' ', old.company_id, old.employee_id, old.username));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_second_factor_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from companies where id = old.company_id and requires_two_factor) then
    perform announce_sessions_lacking_second_factor(old.company_id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_second_factor_required()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_sessions_lacking_second_factor(new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_session_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('session_gone', old.id::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.announce_sessions_lacking_second_factor(of_company uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('session_gone', sessions.id::text) from sessions
  where company_id = of_company and not exists (
    select from two_factors
    where two_factors.company_id = of_company and two_factors.employee_id = sessions.employee_id
  );
  delete from devices where company_id = of_company and session_id is not null and not exists (
    select from two_factors
    where two_factors.company_id = of_company and two_factors.employee_id = devices.employee_id
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.choose_contact_slice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select max(id) into new.slice from contact_slices where company_id = new.company_id;
  -- One id in 16,384, by its random end, begins a new slice: counting would make all writers wait for one another.
  if new.slice is null or right(new.id::text, 4) in ('0000', '1000', '2000', '3000') then
    insert into contact_slices (company_id) values (new.company_id) returning id into new.slice;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.contact_activity_lock(company uuid, phone text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select hashtextextended('contact activity ' || company::text || phone, 0)
$function$;

CREATE OR REPLACE FUNCTION public.contact_text(name text, company_name text, email text, note text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select lower(translate(
    ' ' || coalesce(name, '') || ' ' || coalesce(company_name, '') || ' ' || coalesce(email, '') || ' '
      || coalesce(note, ''),
    E'\n\r\t', '   '
  ))
$function$;

CREATE OR REPLACE FUNCTION public.copy_to_further_numbers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update contacts set name = new.name, email = new.email, company_name = new.company_name, note = new.note
  where company_id = new.company_id and main_id = new.id
    and (name, email, company_name, note)
      is distinct from (new.name, new.email, new.company_name, new.note);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.double_keys(main_id uuid, name text, name_key text, email text)
 RETURNS TABLE(field text, value text)
 LANGUAGE sql
 STABLE
AS $function$
  select 'name', name_key where main_id is null and trim(name) <> ''
  union all
  select 'email', lower(email) where main_id is null and email is not null
$function$;

CREATE OR REPLACE FUNCTION public.double_lock(company uuid, field text, value text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select hashtextextended('doubles ' || company || ' ' || (hashtext(field || ' ' || value) & 63), 0)
$function$;

CREATE OR REPLACE FUNCTION public.drop_notes_of_contact()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from thread_notes where company_id = old.company_id and phone_number = old.phone;
  update calls set note = null,
    wrapped_up_by = case when outcome is not null then wrapped_up_by end,
    wrapped_up_at = case when outcome is not null then wrapped_up_at end
  where company_id = old.company_id and remote_number = old.phone and note is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.drop_voicemail_from_inbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.employee_status(company uuid, employee uuid, wants_no_calls boolean, is_invited boolean)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return case
    when exists (
      select from calls where company_id = company and controller_id = employee and state <> 'ended'
    ) or exists (
      select from transfers where to_employee_id = employee and state = 'consulting'
    ) or exists (
      select from internal_calls where company_id = company and from_employee_id = employee and state <> 'ended'
    ) or exists (
      select from internal_calls
      where company_id = company and to_employee_id = employee and state <> 'ended' and state = 'answered'
    ) then 'on_call'
    when wants_no_calls then 'do_not_disturb'
    when exists (select from call_offers where employee_id = employee and not declined)
      or exists (select from transfers where to_employee_id = employee and state = 'ringing')
      or exists (
        select from internal_calls where company_id = company and to_employee_id = employee and state <> 'ended'
      ) then 'ringing'
    when not is_invited and exists (
      select from device_registrations
      where company_id = company and employee_id = employee and expires_at > now()
    ) then 'available'
    else 'logged_out'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION public.enter_inbox_later()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.in_inbox := true;
  new.created_at := next_arrival(new.company_id, new.remote_number);
  perform add_inbox_item(
    new.company_id, new.id, 'call', new.remote_number, new.business_number_id, new.direction = 'inbound',
    new.created_at
  );
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.fill_call_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  config regconfig;
  said text;
begin
  if new.transcription is null and new.note is null then
    new.words := null;
    new.slice := null;
    return new;
  end if;
  said := concat_ws(E'\n', new.transcription, new.context_text, new.note);
  select text_search_config(language) into config from business_numbers
  where company_id = new.company_id and id = new.business_number_id;
  new.words := to_tsvector(config, said) || to_tsvector('simple', said);
  if new.outcome is not null then
    new.words := new.words || array_to_tsvector(array['outcome=' || new.outcome]);
  end if;
  if new.slice is null then
    select max(id) into new.slice from call_slices where company_id = new.company_id;
    -- One id in 4,096, by its random end, begins a new slice: counting would make all calls wait for one another.
    if new.slice is null or right(new.id::text, 3) = '000' then
      insert into call_slices (company_id) values (new.company_id) returning id into new.slice;
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.find_browsers_to_ring()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.rings_browsers := exists (
    select from push_subscriptions
    where company_id = new.company_id and employee_id = any(new.employee_ids)
  );
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.find_contact_activity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(contact_activity_lock(new.company_id, new.phone));
  new.has_activity := exists (
    select from external_numbers where company_id = new.company_id and phone_number = new.phone
  );
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.find_last_inbox_items(company uuid, phone text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.hold_inbox_thread(company uuid, phone text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update external_numbers set stamped_at = stamped_at where company_id = company and phone_number = phone;
end
$function$;

CREATE OR REPLACE FUNCTION public.in_ascii(text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select encode(convert_to(text, 'UTF8'), 'escape')
$function$;

CREATE OR REPLACE FUNCTION public.iso_micros(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$function$;

CREATE OR REPLACE FUNCTION public.keep_contact_doubles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  company uuid := coalesce(new.company_id, old.company_id);
  changed record;
begin
  for changed in
    with before as (select * from double_keys(old.main_id, old.name, old.name_key, old.email)),
      after as (select * from double_keys(new.main_id, new.name, new.name_key, new.email))
    select field, value from (
      (select * from before except select * from after) union all (select * from after except select * from before)
    ) as keys
    -- In one order, so that two transactions do not wait for each other in a circle.
    order by double_lock(company, field, value)
  loop
    perform note_double(company, changed.field, changed.value);
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_contact_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from contact_words
    where company_id = old.company_id and name_key = old.name_key and contact_id = old.id
      and word = any(array(select searched_words(old.words, old.phone)));
  end if;
  if tg_op <> 'DELETE' then
    insert into contact_words (company_id, word, name_key, contact_id)
    select new.company_id, word, new.name_key, new.id from searched_words(new.words, new.phone) as word;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_emails_apart()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  wanted text;
begin
  if tg_op = 'UPDATE' and new.email <> old.email then
    new.unconfirmed_email := null;
  end if;
  for wanted in
    select distinct lower(address) from unnest(array[new.email, new.unconfirmed_email]) address
    where address is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('e-mail ' || wanted, 0));
    if exists (
      select from employees
      where id <> new.id and (lower(email) = wanted or lower(unconfirmed_email) = wanted)
    ) then
      raise unique_violation using
        message = 'the address is that of another employee', constraint = 'employees_email';
    end if;
  end loop;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_former_employee()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.new_id()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  select (
    overlay(
      lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0')
      placing '7' from 13 for 0
    ) || substr(replace(gen_random_uuid()::text, '-', ''), 17)
  )::uuid
$function$;

CREATE OR REPLACE FUNCTION public.next_arrival(company uuid, phone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
declare
  moment timestamptz :=
    coalesce(nullif(current_setting('bellhop.happened_at', true), '')::timestamptz, clock_timestamp());
  arrived timestamptz;
begin
  insert into external_numbers as known (company_id, phone_number, stamped_at)
  values (company, phone, moment)
  on conflict (company_id, phone_number) do update
    set stamped_at = greatest(moment, known.stamped_at + interval '1 microsecond')
  returning stamped_at into arrived;
  return arrived;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_call_in_inbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_inbox_item(
    new.company_id, new.id, 'call', new.remote_number, new.business_number_id, new.direction = 'inbound',
    new.created_at
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_call_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform order_call_meanings(new.company_id, new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_contact_activity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(contact_activity_lock(new.company_id, new.phone_number));
  update contacts set has_activity = true
  where company_id = new.company_id and phone = new.phone_number and not has_activity;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_double(company uuid, changed_field text, changed_value text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  contacts_with_it int;
begin
  perform pg_advisory_xact_lock(double_lock(company, changed_field, changed_value));
  if changed_field = 'name' then
    select count(*) into contacts_with_it from (
      select from contacts
      where company_id = company and name_key = changed_value and main_id is null and trim(name) <> '' limit 11
    ) as found;
  else
    select count(*) into contacts_with_it from (
      select from contacts
      where company_id = company and lower(email) = changed_value and email is not null and main_id is null limit 11
    ) as found;
  end if;
  -- Of more than ten, each is probably somebody else.
  if contacts_with_it between 2 and 10 then
    insert into contact_doubles values (company, changed_field, changed_value) on conflict do nothing;
  else
    delete from contact_doubles
    where company_id = company and field = changed_field and value = changed_value;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_message_in_inbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_inbox_item(
    new.company_id, new.id, 'message', new.remote_number, new.business_number_id, new.direction = 'inbound',
    new.created_at
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_voicemail_in_inbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.order_call_meanings(company uuid, call uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into call_meanings_due (company_id, call_id) values (company, call)
  on conflict (company_id, call_id) do update set change_id = gen_random_uuid();
  perform graphile_worker.add_job(
    'calls.embed', json_build_object('companyId', company, 'callId', call),
    job_key => 'calls.embed:' || call, priority => 10
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_early_commit()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'BH001', message = 'the transaction needs more statements, which is no error';
end
$function$;

CREATE OR REPLACE FUNCTION public.ring_browsers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform graphile_worker.add_job(
    'push.call_waits', json_build_object('companyId', new.company_id, 'callId', new.call_id, 'since', now())
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.search_text(text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select replace(replace(replace(replace(
    translate(
      lower(normalize(
        regexp_replace(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'), '\s+', ' ', 'g'), NFC
      )),
      'øđłħŧıðς', 'odlhtidσ'
    ),
    'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th')
$function$;

CREATE OR REPLACE FUNCTION public.search_words(text text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select distinct left(word, 40)
  from regexp_split_to_table(
    translate(search_text($1), '''’', ''), '[\u0001-/:-@\[-`{-\u00bf\u2000-\u206f\u3000-\u303f]+'
  ) as word
  where word <> ''
$function$;

CREATE OR REPLACE FUNCTION public.searched_words(words text, phone text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select string_to_table(substr(words, 2), ' ') where words <> ''
  union
  select substr(phone, first) from generate_series(2, length(phone) - 1) as first
$function$;

CREATE OR REPLACE FUNCTION public.set_contact_searched_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.searched_text := search_text(contact_text(new.name, new.company_name, new.email, new.note));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_contact_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.name_key := sort_key_of_contact(new.name, new.company_name, new.phone);
  new.words := words_of_contact(new.name, new.company_name, new.email);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.show_inbox_item(company uuid, item uuid, comes_in boolean DEFAULT NULL::boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.sort_key_of_contact(name text, company_name text, phone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select left(coalesce(
    nullif(trim(search_text(name)), ''), nullif(trim(search_text(company_name)), ''), chr(1114111) || phone
  ), 60)
$function$;

CREATE OR REPLACE FUNCTION public.stamp_arrival()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.created_at := next_arrival(new.company_id, new.remote_number);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.stamp_voicemail_arrival()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.created_at := next_arrival(new.company_id, new.from_number);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.stop_ringing_browsers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform graphile_worker.add_job(
    'push.call_left', json_build_object('companyId', old.company_id, 'callId', old.call_id)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.text_search_config(language text)
 RETURNS regconfig
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case language
    when 'da' then 'danish' when 'de' then 'german' when 'el' then 'greek' when 'en' then 'english'
    when 'es' then 'spanish' when 'fi' then 'finnish' when 'fr' then 'french' when 'hu' then 'hungarian'
    when 'it' then 'italian' when 'lt' then 'lithuanian' when 'nb' then 'norwegian' when 'nl' then 'dutch'
    when 'pt' then 'portuguese' when 'ro' then 'romanian' when 'ru' then 'russian' when 'sv' then 'swedish'
    when 'tr' then 'turkish' else 'simple'
  end::regconfig
$function$;

CREATE OR REPLACE FUNCTION public.type_id(prefix text, id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select prefix || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from place for 5)::bit(5)::integer + 1, 1), '' order by place
  )
  from (select B'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) as padded,
    generate_series(1, 126, 5) as place
$function$;

CREATE OR REPLACE FUNCTION public.uncount_inbox_item(company uuid, item uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update inbox_threads thread set unseen_count = unseen_count - 1
  from inbox_items
  where inbox_items.company_id = company and id = item and incoming and seen_at is null and replaced_at is null
    and thread.company_id = company and thread.phone_number = inbox_items.phone_number
    and (with_texts or type <> 'message') and scope_id in (company, business_number_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.wants_no_calls(activated_at timestamp with time zone, expires_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return activated_at is not null and coalesce(expires_at > now(), true);
end
$function$;

CREATE OR REPLACE FUNCTION public.words_of_contact(name text, company_name text, email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(string_agg(' ' || word, ''), '') from search_words(concat_ws(' ', name, company_name, email)) as word
$function$;

create table api_key_uses (
  key_id uuid not null,
  last_used_at timestamp with time zone not null,
  constraint api_key_uses_pkey PRIMARY KEY (key_id)
);

create table api_keys (
  id uuid not null default new_id(),
  company_id uuid not null,
  employee_id uuid not null,
  name text not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint api_keys_pkey PRIMARY KEY (id)
);

create table attempts (
  subject bytea not null,
  count integer not null,
  next_at timestamp with time zone not null,
  forgotten_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (subject)
);

create table auto_replies (
  company_id uuid not null,
  business_number_id uuid not null,
  remote_number text not null,
  replied_at timestamp with time zone not null,
  message_id uuid,
  constraint auto_replies_pkey PRIMARY KEY (company_id, business_number_id, remote_number)
);

create table business_numbers (
  company_id uuid not null,
  id uuid not null default new_id(),
  name text not null,
  number text not null,
  timezone text not null,
  language text not null,
  recording_enabled boolean not null default false,
  incoming_call_config jsonb not null,
  outside_business_hours_config jsonb,
  no_answer_config jsonb,
  no_answer_timeout_secs integer,
  wait_audio text not null default 'ringtone'::text,
  registration_status text not null default 'not_required'::text,
  registration_due_at timestamp with time zone,
  registration_reason text,
  business_hours jsonb not null,
  sms_capable boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  emergency_caller_id text,
  recording_notice text not null default 'none'::text,
  constraint business_numbers_pkey PRIMARY KEY (company_id, id),
  constraint business_numbers_number UNIQUE (number),
  constraint business_numbers_emergency_caller_id_check CHECK ((emergency_caller_id ~ '^\+[1-9][0-9]{3,14}$'::text)),
  constraint business_numbers_no_answer_timeout_secs_check CHECK ((no_answer_timeout_secs = ANY (ARRAY[10, 20, 30, 40, 50, 60, 15, 300, 600, 1200, 1800, 2700, 3600]))),
  constraint business_numbers_recording_notice_check CHECK ((recording_notice = ANY (ARRAY['none'::text, 'beep'::text, 'announcement'::text]))),
  constraint business_numbers_registration_status_check CHECK ((registration_status = ANY (ARRAY['not_required'::text, 'pending'::text, 'submitted'::text, 'approved'::text, 'rejected'::text, 'failed'::text]))),
  constraint business_numbers_wait_audio_check CHECK ((wait_audio = ANY (ARRAY['ringtone'::text, 'music'::text])))
);

create table call_contexts (
  company_id uuid not null,
  call_id uuid not null,
  contexts jsonb not null,
  enriched_at timestamp with time zone not null,
  constraint call_contexts_pkey PRIMARY KEY (company_id, call_id)
);

create table call_employees (
  company_id uuid not null,
  call_id uuid not null,
  employee_id uuid not null,
  joined_at timestamp with time zone not null default now(),
  constraint call_employees_pkey PRIMARY KEY (company_id, call_id, employee_id)
);

create table call_meanings (
  company_id uuid not null,
  call_id uuid not null,
  part smallint not null,
  cell integer not null,
  signs bit varying not null,
  vector bytea not null,
  constraint call_meanings_pkey PRIMARY KEY (company_id, call_id, part)
);

create table call_meanings_due (
  company_id uuid not null,
  call_id uuid not null,
  change_id uuid not null default gen_random_uuid(),
  constraint call_meanings_due_pkey PRIMARY KEY (company_id, call_id)
);

create table call_offers (
  company_id uuid not null,
  call_id uuid not null,
  employee_id uuid not null,
  declined boolean not null default false,
  constraint call_offers_pkey PRIMARY KEY (company_id, call_id, employee_id)
);

create table call_queue (
  company_id uuid not null,
  call_id uuid not null,
  business_number_id uuid not null,
  edge_id uuid not null,
  employee_ids uuid[] not null,
  joined_at timestamp with time zone not null,
  rings_browsers boolean not null default false,
  constraint call_queue_pkey PRIMARY KEY (company_id, call_id)
);

create table call_slices (
  company_id uuid not null,
  id integer not null default nextval('call_slice_ids'::regclass),
  constraint call_slices_pkey PRIMARY KEY (company_id, id)
);

create table call_targets (
  company_id uuid not null,
  business_number_id uuid not null,
  slot text not null,
  employee_id uuid not null,
  constraint call_targets_pkey PRIMARY KEY (company_id, business_number_id, slot, employee_id),
  constraint call_targets_slot_check CHECK ((slot = ANY (ARRAY['incoming_call'::text, 'outside_business_hours'::text, 'no_answer'::text])))
);

create table caller_lookups (
  company_id uuid not null,
  phone text not null,
  contexts jsonb not null,
  enriched_at timestamp with time zone not null,
  fresh_until timestamp with time zone not null,
  constraint caller_lookups_pkey PRIMARY KEY (company_id, phone)
);

create table calls (
  company_id uuid not null,
  id uuid not null default new_id(),
  business_number_id uuid not null,
  direction text not null,
  remote_number text not null,
  state text not null,
  started_at timestamp with time zone,
  answered_at timestamp with time zone,
  ended_at timestamp with time zone,
  summary text,
  transcription text,
  transcription_segments jsonb,
  recording_key text,
  initiated_by uuid,
  words tsvector,
  created_at timestamp with time zone not null default now(),
  slice integer,
  control_id text not null default (gen_random_uuid())::text,
  edge_id uuid,
  controller_id uuid,
  end_reason text,
  context_text text,
  awaits_voicemail boolean not null default false,
  recording_state text,
  outcome text,
  note text,
  wrapped_up_by uuid,
  wrapped_up_at timestamp with time zone,
  in_inbox boolean not null default true,
  constraint calls_pkey PRIMARY KEY (company_id, id),
  constraint calls_direction_check CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))),
  constraint calls_state_check CHECK ((state = ANY (ARRAY['initiated'::text, 'queued'::text, 'answered'::text, 'playing_audio'::text, 'transferring'::text, 'recording'::text, 'bridged'::text, 'ended'::text])))
);

create table companies (
  id uuid not null default new_id(),
  name text not null,
  address text,
  city text,
  state text,
  zip text,
  country text not null,
  vat_id text,
  requires_two_factor boolean not null default false,
  messaging_enabled boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  outside_transfers_enabled boolean not null default false,
  constraint companies_pkey PRIMARY KEY (id),
  constraint companies_country_check CHECK ((country ~ '^[A-Z]{2}$'::text))
);

create table company_jobs (
  company_id uuid not null,
  id uuid not null default new_id(),
  kind text not null,
  payload json not null,
  due_at timestamp with time zone not null default now(),
  tries integer not null default 0,
  constraint company_jobs_pkey PRIMARY KEY (company_id, id)
);

create table contact_doubles (
  company_id uuid not null,
  field text not null,
  value text not null,
  constraint contact_doubles_pkey PRIMARY KEY (company_id, field, value),
  constraint contact_doubles_field_check CHECK ((field = ANY (ARRAY['name'::text, 'email'::text])))
);

create table contact_slices (
  company_id uuid not null,
  id integer not null default nextval('contact_slice_ids'::regclass),
  constraint contact_slices_pkey PRIMARY KEY (company_id, id)
);

create table contact_words (
  company_id uuid not null,
  word text not null,
  name_key text not null,
  contact_id uuid not null,
  constraint contact_words_pkey PRIMARY KEY (company_id, word, name_key, contact_id)
);

create table contacts (
  company_id uuid not null,
  id uuid not null default new_id(),
  name text,
  email text,
  phone text not null,
  phone_formatted text not null,
  company_name text,
  note text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  slice integer not null,
  has_activity boolean not null default false,
  searched_text text not null default ''::text,
  name_key text not null default ''::text,
  words text not null default ''::text,
  main_id uuid,
  constraint contacts_pkey PRIMARY KEY (company_id, id),
  constraint contacts_phone UNIQUE (company_id, phone)
);

create table device_registrations (
  company_id uuid not null,
  employee_id uuid not null,
  device_id uuid not null,
  username text not null,
  key text not null,
  edge_id uuid not null,
  binding jsonb not null,
  expires_at timestamp with time zone not null,
  constraint device_registrations_pkey PRIMARY KEY (username, key)
);

create table devices (
  id uuid not null default new_id(),
  company_id uuid not null,
  employee_id uuid not null,
  name text not null,
  username text not null,
  password_sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  kind text not null default 'phone'::text,
  expires_at timestamp with time zone,
  last_registered_at timestamp with time zone,
  session_id uuid,
  api_key_id uuid,
  oauth_grant_id uuid,
  encryption text not null default 'auto'::text,
  encryption_refused_at timestamp with time zone,
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_username UNIQUE (username),
  constraint devices_encryption_check CHECK ((encryption = ANY (ARRAY['auto'::text, 'required'::text, 'off'::text]))),
  constraint devices_kind_check CHECK ((kind = ANY (ARRAY['phone'::text, 'browser'::text]))),
  constraint devices_made_with_one CHECK ((num_nonnulls(session_id, api_key_id, oauth_grant_id) <= 1))
);

create table edge_commands (
  company_id uuid not null,
  id uuid not null default new_id(),
  edge_id uuid not null,
  call_id uuid not null,
  command jsonb not null,
  created_at timestamp with time zone not null default now(),
  taken_at timestamp with time zone,
  answer jsonb,
  constraint edge_commands_pkey PRIMARY KEY (company_id, id)
);

create table edges (
  id uuid not null default new_id(),
  sip_host text not null,
  sip_port integer not null,
  draining boolean not null default false,
  started_at timestamp with time zone not null default now(),
  alive_at timestamp with time zone not null default now(),
  constraint edges_pkey PRIMARY KEY (id)
);

create table email_changes (
  company_id uuid not null,
  employee_id uuid not null,
  confirm_hash bytea,
  confirm_expires_at timestamp with time zone,
  cancel_hash bytea,
  constraint email_changes_pkey PRIMARY KEY (company_id, employee_id),
  constraint email_changes_cancel UNIQUE (cancel_hash),
  constraint email_changes_confirm UNIQUE (confirm_hash)
);

create table employees (
  id uuid not null default new_id(),
  company_id uuid not null,
  name text not null,
  email text not null,
  phone text,
  password_hash text,
  invitation_pending boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  do_not_disturb_activated_at timestamp with time zone,
  do_not_disturb_expires_at timestamp with time zone,
  told_status text,
  unconfirmed_email text,
  is_operator boolean not null default false,
  language text,
  constraint employees_pkey PRIMARY KEY (id),
  constraint employees_of_company UNIQUE (company_id, id),
  constraint employees_language_check CHECK ((language ~ '^[a-z]{2}$'::text))
);

create table events (
  company_id uuid not null,
  id uuid not null default new_id(),
  data json,
  recording_key text,
  created_at timestamp with time zone not null default now(),
  data_sealed bytea,
  constraint events_pkey PRIMARY KEY (company_id, id),
  constraint events_data_check CHECK ((num_nonnulls(data, data_sealed) = 1))
);

create table extensions (
  company_id uuid not null,
  extension text not null,
  employee_id uuid not null,
  constraint extensions_pkey PRIMARY KEY (company_id, extension),
  constraint extensions_employee_id_key UNIQUE (employee_id),
  constraint extensions_extension_check CHECK ((extension ~ '^[1-9][0-9]{1,4}$'::text))
);

create table external_number_ends (
  company_id uuid not null,
  digits text not null,
  phone_number text not null,
  constraint external_number_ends_pkey PRIMARY KEY (company_id, digits, phone_number)
);

create table external_numbers (
  company_id uuid not null,
  phone_number text not null,
  stamped_at timestamp with time zone not null,
  constraint external_numbers_pkey PRIMARY KEY (company_id, phone_number)
);

create table favourites (
  company_id uuid not null,
  id uuid not null default new_id(),
  employee_id uuid not null,
  phone text,
  coworker_id uuid,
  constraint favourites_pkey PRIMARY KEY (company_id, id),
  constraint favourites_check CHECK ((num_nonnulls(phone, coworker_id) = 1))
);

create table former_employees (
  company_id uuid not null,
  id uuid not null,
  name text not null,
  constraint former_employees_pkey PRIMARY KEY (company_id, id)
);

create table inbox_items (
  company_id uuid not null,
  id uuid not null,
  type text not null,
  phone_number text not null,
  business_number_id uuid not null,
  incoming boolean not null,
  arrived_at timestamp with time zone not null,
  seen_at timestamp with time zone,
  replaced_by uuid,
  replaced_at timestamp with time zone,
  constraint inbox_items_pkey PRIMARY KEY (company_id, id),
  constraint inbox_items_type_check CHECK ((type = ANY (ARRAY['call'::text, 'voicemail'::text, 'message'::text])))
);

create table inbox_threads (
  company_id uuid not null,
  phone_number text not null,
  with_texts boolean not null,
  scope_id uuid not null,
  last_item_id uuid not null,
  last_at timestamp with time zone not null,
  unseen_count integer not null,
  standing smallint not null default 2,
  assignee_id uuid,
  closed_at timestamp with time zone,
  closed_by uuid,
  snoozed_until timestamp with time zone,
  constraint inbox_threads_pkey PRIMARY KEY (company_id, phone_number, with_texts, scope_id),
  constraint inbox_threads_unseen_count_check CHECK ((unseen_count >= 0))
);

create table integrations (
  company_id uuid not null,
  id uuid not null default new_id(),
  provider text not null,
  label text not null,
  active boolean not null default true,
  url text,
  shop text,
  secrets_sealed bytea not null,
  last_success_at timestamp with time zone,
  last_error text,
  last_error_status integer,
  last_error_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint integrations_pkey PRIMARY KEY (company_id, id),
  constraint integrations_check CHECK (((last_error IS NULL) = (last_error_at IS NULL))),
  constraint integrations_provider_check CHECK ((provider = ANY (ARRAY['custom'::text, 'shopify'::text, 'woocommerce'::text, 'economic'::text])))
);

create table internal_calls (
  company_id uuid not null,
  id uuid not null default new_id(),
  edge_id uuid not null,
  from_employee_id uuid not null,
  from_extension text not null,
  to_employee_id uuid not null,
  to_extension text not null,
  state text not null default 'initiated'::text,
  started_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  ended_at timestamp with time zone,
  end_reason text,
  constraint internal_calls_pkey PRIMARY KEY (company_id, id),
  constraint internal_calls_state_check CHECK ((state = ANY (ARRAY['initiated'::text, 'answered'::text, 'ended'::text])))
);

create table invitations (
  employee_id uuid not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint invitations_pkey PRIMARY KEY (employee_id),
  constraint invitations_token_hash_key UNIQUE (token_hash)
);

create table letter_paces (
  subject bytea not null,
  paid_back_at timestamp with time zone not null,
  constraint letter_paces_pkey PRIMARY KEY (subject)
);

create table meaning_cells (
  company_id uuid not null,
  id integer not null default nextval('meaning_cell_ids'::regclass),
  model text not null,
  dimensions integer not null,
  centre bit varying not null,
  constraint meaning_cells_pkey PRIMARY KEY (company_id, id)
);

create table message_attempts (
  company_id uuid not null,
  id uuid not null default new_id(),
  message_id uuid not null,
  business_number_id uuid not null,
  kind text not null,
  idempotency_key text,
  provider text not null,
  provider_message_id text,
  status text not null default 'queued'::text,
  failure_code text,
  started_at timestamp with time zone not null,
  constraint message_attempts_pkey PRIMARY KEY (company_id, id),
  constraint message_attempts_check CHECK (((kind = 'auto_reply'::text) = (idempotency_key IS NULL))),
  constraint message_attempts_kind_check CHECK ((kind = ANY (ARRAY['send'::text, 'retry'::text, 'auto_reply'::text]))),
  constraint message_attempts_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'accepted'::text, 'delivered'::text, 'failed'::text, 'unknown'::text])))
);

create table messages (
  company_id uuid not null,
  id uuid not null default new_id(),
  business_number_id uuid not null,
  direction text not null,
  remote_number text not null,
  author text not null,
  employee_id uuid,
  text_sealed bytea not null,
  status text not null,
  sms_count smallint,
  encoding text,
  failure_code text,
  provider text,
  provider_message_id text,
  seen_at timestamp with time zone,
  received_at timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint messages_pkey PRIMARY KEY (company_id, id),
  constraint messages_author_check CHECK ((author = ANY (ARRAY['customer'::text, 'employee'::text, 'automation'::text]))),
  constraint messages_check CHECK (((direction = 'inbound'::text) = (status = 'received'::text))),
  constraint messages_check1 CHECK (((direction = 'inbound'::text) = (author = 'customer'::text))),
  constraint messages_direction_check CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))),
  constraint messages_encoding_check CHECK ((encoding = ANY (ARRAY['gsm7'::text, 'ucs2'::text]))),
  constraint messages_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'accepted'::text, 'delivered'::text, 'failed'::text, 'unknown'::text, 'received'::text])))
);

create table note_mentions (
  company_id uuid not null,
  note_id uuid not null,
  employee_id uuid not null,
  phone_number text not null,
  seen_at timestamp with time zone,
  constraint note_mentions_pkey PRIMARY KEY (company_id, note_id, employee_id)
);

create table oauth_access_tokens (
  token_hash bytea not null,
  grant_id uuid not null,
  expires_at timestamp with time zone not null,
  mcp_only boolean not null default false,
  constraint oauth_access_tokens_pkey PRIMARY KEY (token_hash)
);

create table oauth_clients (
  id uuid not null default new_id(),
  name text not null,
  redirect_uris text[] not null,
  first_party boolean not null default false,
  created_at timestamp with time zone not null default now(),
  metadata_url text,
  metadata_read_at timestamp with time zone,
  registered_from text,
  used_at timestamp with time zone,
  constraint oauth_clients_pkey PRIMARY KEY (id),
  constraint oauth_clients_metadata_url UNIQUE (metadata_url)
);

create table oauth_codes (
  code_hash bytea not null,
  grant_id uuid not null,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_codes_pkey PRIMARY KEY (code_hash)
);

create table oauth_grant_uses (
  grant_id uuid not null,
  last_used_at timestamp with time zone not null,
  constraint oauth_grant_uses_pkey PRIMARY KEY (grant_id)
);

create table oauth_grants (
  id uuid not null default new_id(),
  company_id uuid not null,
  employee_id uuid not null,
  client_id uuid not null,
  created_at timestamp with time zone not null default now(),
  mcp_only boolean not null default false,
  constraint oauth_grants_pkey PRIMARY KEY (id)
);

create table oauth_refresh_tokens (
  token_hash bytea not null,
  grant_id uuid not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  answer_sealed bytea,
  constraint oauth_refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint oauth_refresh_tokens_check CHECK (((used_at IS NULL) = (answer_sealed IS NULL)))
);

create table onboarding_dismissals (
  company_id uuid not null,
  employee_id uuid not null,
  dismissed_at timestamp with time zone not null default now(),
  constraint onboarding_dismissals_pkey PRIMARY KEY (company_id, employee_id)
);

create table outside_transfers (
  company_id uuid not null,
  id uuid not null default new_id(),
  call_id uuid not null,
  employee_id uuid not null,
  number text not null,
  state text not null default 'ringing'::text,
  started_at timestamp with time zone not null,
  constraint outside_transfers_pkey PRIMARY KEY (company_id, id),
  constraint outside_transfers_state_check CHECK ((state = ANY (ARRAY['ringing'::text, 'completed'::text, 'failed'::text])))
);

create table parked_calls (
  company_id uuid not null,
  slot smallint not null,
  call_id uuid not null,
  parked_by uuid not null,
  parked_at timestamp with time zone not null,
  constraint parked_calls_pkey PRIMARY KEY (company_id, slot),
  constraint parked_calls_company_id_call_id_key UNIQUE (company_id, call_id),
  constraint parked_calls_slot_check CHECK ((slot > 0))
);

create table password_resets (
  company_id uuid not null,
  employee_id uuid not null,
  token_hash bytea not null,
  email text not null,
  expires_at timestamp with time zone not null,
  constraint password_resets_pkey PRIMARY KEY (company_id, employee_id),
  constraint password_resets_token UNIQUE (token_hash)
);

create table prompt_places (
  company_id uuid not null,
  business_number_id uuid not null,
  place text not null,
  digest text not null,
  constraint prompt_places_pkey PRIMARY KEY (company_id, business_number_id, place)
);

create table prompts (
  company_id uuid not null,
  business_number_id uuid not null,
  digest text not null,
  language text not null,
  text text not null,
  audio_key text,
  constraint prompts_pkey PRIMARY KEY (company_id, business_number_id, digest)
);

create table provisioning_links (
  token_hash bytea not null,
  device_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint provisioning_links_pkey PRIMARY KEY (token_hash),
  constraint provisioning_links_device_id_key UNIQUE (device_id)
);

create table push_alerts (
  company_id uuid not null,
  call_id uuid not null,
  subscription_id uuid not null,
  is_sent boolean not null default false,
  constraint push_alerts_pkey PRIMARY KEY (company_id, call_id, subscription_id)
);

create table push_subscriptions (
  company_id uuid not null,
  id uuid not null default new_id(),
  employee_id uuid not null,
  session_id uuid not null,
  endpoint_hash bytea not null,
  subscription_sealed bytea not null,
  language text not null,
  created_at timestamp with time zone not null default now(),
  constraint push_subscriptions_pkey PRIMARY KEY (company_id, id),
  constraint push_subscriptions_endpoint UNIQUE (endpoint_hash)
);

create table recovery_codes (
  company_id uuid not null,
  employee_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (company_id, employee_id, code_hash)
);

create table schema_migrations (
  name text not null,
  applied_at timestamp with time zone not null default now(),
  hash text,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table sessions (
  company_id uuid not null,
  id uuid not null default new_id(),
  employee_id uuid not null,
  token_hash bytea not null,
  second_factor_owed boolean not null,
  two_factor_setup_sealed bytea,
  user_agent text not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (company_id, id),
  constraint sessions_token UNIQUE (token_hash)
);

create table text_snippets (
  company_id uuid not null,
  id uuid not null default new_id(),
  title text not null,
  text text not null,
  "position" integer not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint text_snippets_pkey PRIMARY KEY (company_id, id),
  constraint text_snippets_position_check CHECK (("position" >= 0))
);

create table texting_settings (
  company_id uuid not null,
  business_number_id uuid not null,
  auto_reply_enabled boolean not null,
  auto_reply_text text,
  auto_reply_cooldown_minutes integer not null,
  constraint texting_settings_pkey PRIMARY KEY (company_id, business_number_id),
  constraint texting_settings_auto_reply_cooldown_minutes_check CHECK (((auto_reply_cooldown_minutes >= 60) AND (auto_reply_cooldown_minutes <= 43200))),
  constraint texting_settings_check CHECK (((NOT auto_reply_enabled) OR (auto_reply_text IS NOT NULL)))
);

create table thread_notes (
  company_id uuid not null,
  id uuid not null default new_id(),
  phone_number text not null,
  author_id uuid not null,
  text text not null,
  created_at timestamp with time zone not null default now(),
  constraint thread_notes_pkey PRIMARY KEY (company_id, id)
);

create table thread_writers (
  company_id uuid not null,
  phone_number text not null,
  employee_id uuid not null,
  until timestamp with time zone not null,
  constraint thread_writers_pkey PRIMARY KEY (company_id, phone_number, employee_id)
);

create table transcript_orders (
  company_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  status text not null default 'waiting'::text,
  recorded_from timestamp with time zone,
  due_at timestamp with time zone,
  claimed_until timestamp with time zone,
  claim uuid,
  tries smallint not null default 0,
  failure text,
  reason text,
  created_at timestamp with time zone not null default now(),
  constraint transcript_orders_pkey PRIMARY KEY (company_id, kind, subject_id),
  constraint transcript_orders_failure_check CHECK ((failure = ANY (ARRAY['language'::text, 'not_understood'::text, 'recording'::text, 'refused'::text, 'unavailable'::text]))),
  constraint transcript_orders_kind_check CHECK ((kind = ANY (ARRAY['call'::text, 'voicemail'::text]))),
  constraint transcript_orders_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'failed'::text])))
);

create table transcript_turns (
  company_id uuid not null,
  last_turn bigint not null default 0,
  constraint transcript_turns_pkey PRIMARY KEY (company_id)
);

create table transfers (
  company_id uuid not null,
  id uuid not null default new_id(),
  call_id uuid not null,
  state text not null,
  from_employee_id uuid not null,
  to_employee_id uuid not null,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  is_blind boolean not null default false,
  constraint transfers_pkey PRIMARY KEY (company_id, id),
  constraint transfers_state_check CHECK ((state = ANY (ARRAY['ringing'::text, 'consulting'::text, 'completed'::text, 'cancelled'::text, 'failed'::text])))
);

create table two_factors (
  company_id uuid not null,
  employee_id uuid not null,
  secret_sealed bytea not null,
  last_step bigint not null,
  created_at timestamp with time zone not null,
  constraint two_factors_pkey PRIMARY KEY (company_id, employee_id)
);

create table voice_previews (
  company_id uuid not null,
  id uuid not null default new_id(),
  created_at timestamp with time zone not null,
  constraint voice_previews_pkey PRIMARY KEY (company_id, id)
);

create table voicemails (
  company_id uuid not null,
  id uuid not null default new_id(),
  business_number_id uuid not null,
  call_id uuid,
  from_number text not null,
  listened_at timestamp with time zone,
  transcription text,
  recording_key text,
  created_at timestamp with time zone not null default now(),
  seconds integer,
  constraint voicemails_pkey PRIMARY KEY (company_id, id),
  constraint voicemails_seconds_check CHECK ((seconds >= 0))
);

create table waveforms (
  company_id uuid not null,
  recording_key text not null,
  duration_ms integer not null,
  peaks bytea not null,
  silences jsonb not null,
  constraint waveforms_pkey PRIMARY KEY (company_id, recording_key),
  constraint waveforms_duration_ms_check CHECK ((duration_ms >= 0))
);

create table webhook_deliveries (
  company_id uuid not null,
  id uuid not null default new_id(),
  subscription_id uuid not null,
  event_id uuid not null,
  event_name text not null,
  status text not null default 'pending'::text,
  next_attempt_at timestamp with time zone,
  tries smallint not null default 0,
  attempts jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  replays integer not null default 0,
  constraint webhook_deliveries_pkey PRIMARY KEY (company_id, subscription_id, id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);

create table webhook_subscriptions (
  company_id uuid not null,
  id uuid not null default new_id(),
  name text not null,
  url text not null,
  events text[] not null,
  active boolean not null default true,
  secret_sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  previous_secret_sealed bytea,
  previous_secret_until timestamp with time zone,
  leased_by uuid,
  leased_until timestamp with time zone,
  constraint webhook_subscriptions_pkey PRIMARY KEY (company_id, id)
);

alter table api_key_uses add constraint api_key_uses_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE;

alter table api_keys add constraint api_keys_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table auto_replies add constraint auto_replies_company_id_business_number_id_fkey FOREIGN KEY (company_id, business_number_id) REFERENCES business_numbers(company_id, id) ON DELETE CASCADE;

alter table business_numbers add constraint business_numbers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table call_contexts add constraint call_contexts_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES calls(company_id, id) ON DELETE CASCADE;

alter table call_employees add constraint call_employees_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES calls(company_id, id) ON DELETE CASCADE;

alter table call_meanings add constraint call_meanings_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES calls(company_id, id) ON DELETE CASCADE;

alter table call_meanings add constraint call_meanings_company_id_cell_fkey FOREIGN KEY (company_id, cell) REFERENCES meaning_cells(company_id, id);

alter table call_meanings_due add constraint call_meanings_due_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES calls(company_id, id) ON DELETE CASCADE;

alter table call_offers add constraint call_offers_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES call_queue(company_id, call_id) ON DELETE CASCADE;

alter table call_slices add constraint call_slices_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table call_targets add constraint call_targets_company_id_business_number_id_fkey FOREIGN KEY (company_id, business_number_id) REFERENCES business_numbers(company_id, id) ON DELETE CASCADE;

alter table call_targets add constraint call_targets_employee FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id);

alter table caller_lookups add constraint caller_lookups_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table calls add constraint calls_company_id_business_number_id_fkey FOREIGN KEY (company_id, business_number_id) REFERENCES business_numbers(company_id, id);

alter table company_jobs add constraint company_jobs_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table contact_doubles add constraint contact_doubles_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table contact_slices add constraint contact_slices_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table contacts add constraint contacts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table contacts add constraint contacts_main FOREIGN KEY (company_id, main_id) REFERENCES contacts(company_id, id) ON DELETE CASCADE;

alter table device_registrations add constraint device_registrations_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table device_registrations add constraint device_registrations_edge_id_fkey FOREIGN KEY (edge_id) REFERENCES edges(id) ON DELETE CASCADE;

alter table devices add constraint devices_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE;

alter table devices add constraint devices_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table devices add constraint devices_oauth_grant_id_fkey FOREIGN KEY (oauth_grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE;

alter table devices add constraint devices_session FOREIGN KEY (company_id, session_id) REFERENCES sessions(company_id, id) ON DELETE CASCADE;

alter table edge_commands add constraint edge_commands_edge_id_fkey FOREIGN KEY (edge_id) REFERENCES edges(id) ON DELETE CASCADE;

alter table email_changes add constraint email_changes_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table employees add constraint employees_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table events add constraint events_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table extensions add constraint extensions_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table external_numbers add constraint external_numbers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table favourites add constraint favourites_company_id_coworker_id_fkey FOREIGN KEY (company_id, coworker_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table favourites add constraint favourites_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table favourites add constraint favourites_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table former_employees add constraint former_employees_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table integrations add constraint integrations_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table internal_calls add constraint internal_calls_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table invitations add constraint invitations_employee_id_fkey FOREIGN KEY (employee_id) REFERENCES employees(id) ON DELETE CASCADE;

alter table meaning_cells add constraint meaning_cells_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table message_attempts add constraint message_attempts_company_id_message_id_fkey FOREIGN KEY (company_id, message_id) REFERENCES messages(company_id, id) ON DELETE CASCADE;

alter table messages add constraint messages_company_id_business_number_id_fkey FOREIGN KEY (company_id, business_number_id) REFERENCES business_numbers(company_id, id);

alter table messages add constraint messages_employee_id_fkey FOREIGN KEY (employee_id) REFERENCES employees(id) ON DELETE SET NULL;

alter table note_mentions add constraint note_mentions_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table note_mentions add constraint note_mentions_company_id_note_id_fkey FOREIGN KEY (company_id, note_id) REFERENCES thread_notes(company_id, id) ON DELETE CASCADE;

alter table oauth_access_tokens add constraint oauth_access_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE;

alter table oauth_codes add constraint oauth_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE;

alter table oauth_grant_uses add constraint oauth_grant_uses_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE;

alter table oauth_grants add constraint oauth_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(id) ON DELETE CASCADE;

alter table oauth_grants add constraint oauth_grants_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table oauth_refresh_tokens add constraint oauth_refresh_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE;

alter table onboarding_dismissals add constraint onboarding_dismissals_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table onboarding_dismissals add constraint onboarding_dismissals_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table outside_transfers add constraint outside_transfers_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES calls(company_id, id) ON DELETE CASCADE;

alter table outside_transfers add constraint outside_transfers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table parked_calls add constraint parked_calls_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES calls(company_id, id) ON DELETE CASCADE;

alter table password_resets add constraint password_resets_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table prompt_places add constraint prompt_places_company_id_business_number_id_digest_fkey FOREIGN KEY (company_id, business_number_id, digest) REFERENCES prompts(company_id, business_number_id, digest) ON DELETE CASCADE;

alter table prompts add constraint prompts_company_id_business_number_id_fkey FOREIGN KEY (company_id, business_number_id) REFERENCES business_numbers(company_id, id) ON DELETE CASCADE;

alter table provisioning_links add constraint provisioning_links_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;

alter table push_alerts add constraint push_alerts_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES calls(company_id, id) ON DELETE CASCADE;

alter table push_alerts add constraint push_alerts_company_id_subscription_id_fkey FOREIGN KEY (company_id, subscription_id) REFERENCES push_subscriptions(company_id, id) ON DELETE CASCADE;

alter table push_subscriptions add constraint push_subscriptions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table push_subscriptions add constraint push_subscriptions_employee FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table push_subscriptions add constraint push_subscriptions_session FOREIGN KEY (company_id, session_id) REFERENCES sessions(company_id, id) ON DELETE CASCADE;

alter table recovery_codes add constraint recovery_codes_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES two_factors(company_id, employee_id) ON DELETE CASCADE;

alter table sessions add constraint sessions_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table text_snippets add constraint text_snippets_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table texting_settings add constraint texting_settings_company_id_business_number_id_fkey FOREIGN KEY (company_id, business_number_id) REFERENCES business_numbers(company_id, id) ON DELETE CASCADE;

alter table thread_notes add constraint thread_notes_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table thread_writers add constraint thread_writers_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table transcript_orders add constraint transcript_orders_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table transcript_turns add constraint transcript_turns_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table two_factors add constraint two_factors_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table voice_previews add constraint voice_previews_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table voicemails add constraint voicemails_company_id_business_number_id_fkey FOREIGN KEY (company_id, business_number_id) REFERENCES business_numbers(company_id, id);

alter table voicemails add constraint voicemails_company_id_call_id_fkey FOREIGN KEY (company_id, call_id) REFERENCES calls(company_id, id);

alter table waveforms add constraint waveforms_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table webhook_deliveries add constraint webhook_deliveries_company_id_subscription_id_fkey FOREIGN KEY (company_id, subscription_id) REFERENCES webhook_subscriptions(company_id, id) ON DELETE CASCADE;

alter table webhook_subscriptions add constraint webhook_subscriptions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

CREATE INDEX api_keys_of_employee ON public.api_keys USING btree (company_id, employee_id);

CREATE INDEX attempts_by_end ON public.attempts USING btree (forgotten_at);

CREATE INDEX call_employees_of_employee ON public.call_employees USING btree (company_id, employee_id);

CREATE INDEX call_meanings_of_cell ON public.call_meanings USING btree (company_id, cell) INCLUDE (call_id, part, signs);

CREATE UNIQUE INDEX call_offers_ringing ON public.call_offers USING btree (employee_id) WHERE (NOT declined);

CREATE INDEX call_queue_in_order ON public.call_queue USING btree (company_id, joined_at, call_id);

CREATE INDEX call_targets_of_employee ON public.call_targets USING btree (company_id, employee_id);

CREATE INDEX caller_lookups_stale ON public.caller_lookups USING btree (fresh_until);

CREATE INDEX calls_between ON public.calls USING btree (company_id, business_number_id, remote_number, direction, id);

CREATE INDEX calls_by_direction ON public.calls USING btree (company_id, direction, id);

CREATE INDEX calls_by_outcome ON public.calls USING btree (company_id, outcome, direction, id) WHERE (outcome IS NOT NULL);

CREATE INDEX calls_in_hand ON public.calls USING btree (company_id, controller_id) WHERE ((state <> 'ended'::text) AND (controller_id IS NOT NULL));

CREATE INDEX calls_in_progress ON public.calls USING btree (company_id, id) WHERE (state <> 'ended'::text);

CREATE INDEX calls_of_edge ON public.calls USING btree (edge_id) WHERE ((state <> 'ended'::text) AND (edge_id IS NOT NULL));

CREATE INDEX calls_of_number ON public.calls USING btree (company_id, business_number_id, direction, id);

CREATE INDEX calls_of_number_by_outcome ON public.calls USING btree (company_id, business_number_id, outcome, direction, id) WHERE (outcome IS NOT NULL);

CREATE INDEX calls_of_remote ON public.calls USING btree (company_id, remote_number, direction, id);

CREATE INDEX calls_of_remote_by_outcome ON public.calls USING btree (company_id, remote_number, outcome, direction, id) WHERE (outcome IS NOT NULL);

CREATE INDEX calls_placed_by ON public.calls USING btree (company_id, initiated_by, id) WHERE (direction = 'outbound'::text);

CREATE INDEX calls_placed_lately ON public.calls USING btree (company_id, started_at) WHERE (direction = 'outbound'::text);

CREATE INDEX calls_words ON public.calls USING gin (slice, business_number_id, remote_number, direction, state, words) WHERE (words IS NOT NULL);

CREATE INDEX calls_words_of_company ON public.calls USING gin (company_id, words) WHERE (words IS NOT NULL);

CREATE INDEX company_jobs_due ON public.company_jobs USING btree (company_id, due_at, id);

CREATE INDEX contacts_by_email ON public.contacts USING btree (company_id, lower(email)) WHERE (email IS NOT NULL);

CREATE INDEX contacts_by_name ON public.contacts USING btree (company_id, name_key, id);

CREATE INDEX contacts_further ON public.contacts USING btree (company_id, main_id) WHERE (main_id IS NOT NULL);

CREATE INDEX contacts_with_activity ON public.contacts USING gin (slice, in_ascii(searched_text) gin_trgm_ops) WHERE has_activity;

CREATE INDEX device_registrations_by_expiry ON public.device_registrations USING btree (expires_at);

CREATE INDEX device_registrations_of_device ON public.device_registrations USING btree (device_id);

CREATE INDEX device_registrations_of_edge ON public.device_registrations USING btree (edge_id);

CREATE INDEX device_registrations_of_employee ON public.device_registrations USING btree (company_id, employee_id);

CREATE INDEX devices_expiring ON public.devices USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX devices_of_api_key ON public.devices USING btree (api_key_id) WHERE (api_key_id IS NOT NULL);

CREATE INDEX devices_of_employee ON public.devices USING btree (company_id, employee_id);

CREATE INDEX devices_of_oauth_grant ON public.devices USING btree (oauth_grant_id) WHERE (oauth_grant_id IS NOT NULL);

CREATE INDEX devices_of_session ON public.devices USING btree (company_id, session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX edge_commands_by_age ON public.edge_commands USING btree (created_at);

CREATE INDEX edge_commands_waiting ON public.edge_commands USING btree (edge_id) WHERE (taken_at IS NULL);

CREATE UNIQUE INDEX employees_email ON public.employees USING btree (lower(email));

CREATE INDEX employees_unconfirmed_email ON public.employees USING btree (lower(unconfirmed_email)) WHERE (unconfirmed_email IS NOT NULL);

CREATE INDEX events_by_age ON public.events USING btree (created_at);

CREATE UNIQUE INDEX favourites_coworker ON public.favourites USING btree (company_id, employee_id, coworker_id) WHERE (coworker_id IS NOT NULL);

CREATE INDEX favourites_of_coworker ON public.favourites USING btree (company_id, coworker_id) WHERE (coworker_id IS NOT NULL);

CREATE UNIQUE INDEX favourites_phone ON public.favourites USING btree (company_id, employee_id, phone) WHERE (phone IS NOT NULL);

CREATE INDEX inbox_items_between ON public.inbox_items USING btree (company_id, phone_number, business_number_id, arrived_at);

CREATE INDEX inbox_items_between_without_texts ON public.inbox_items USING btree (company_id, phone_number, business_number_id, arrived_at) WHERE (type <> 'message'::text);

CREATE INDEX inbox_items_of_thread ON public.inbox_items USING btree (company_id, phone_number, arrived_at);

CREATE INDEX inbox_items_of_thread_without_texts ON public.inbox_items USING btree (company_id, phone_number, arrived_at) WHERE (type <> 'message'::text);

CREATE INDEX inbox_items_unseen ON public.inbox_items USING btree (company_id, phone_number, arrived_at) WHERE (incoming AND (seen_at IS NULL));

CREATE INDEX inbox_threads_assigned ON public.inbox_threads USING btree (company_id, assignee_id, scope_id, with_texts, standing, last_at, phone_number) WHERE (assignee_id IS NOT NULL);

CREATE INDEX inbox_threads_by_standing ON public.inbox_threads USING btree (company_id, scope_id, with_texts, standing, last_at, phone_number);

CREATE INDEX inbox_threads_unseen ON public.inbox_threads USING btree (company_id, scope_id, with_texts, last_at, phone_number) WHERE (unseen_count > 0);

CREATE INDEX internal_calls_in_progress ON public.internal_calls USING btree (company_id, id) WHERE (state <> 'ended'::text);

CREATE INDEX internal_calls_in_progress_from ON public.internal_calls USING btree (company_id, from_employee_id) WHERE (state <> 'ended'::text);

CREATE INDEX internal_calls_in_progress_to ON public.internal_calls USING btree (company_id, to_employee_id) WHERE (state <> 'ended'::text);

CREATE INDEX internal_calls_of_edge ON public.internal_calls USING btree (edge_id) WHERE (state <> 'ended'::text);

CREATE INDEX internal_calls_placed_lately ON public.internal_calls USING btree (company_id, started_at);

CREATE INDEX letter_paces_by_end ON public.letter_paces USING btree (paid_back_at);

CREATE INDEX message_attempts_at_provider ON public.message_attempts USING btree (company_id, provider, provider_message_id);

CREATE INDEX message_attempts_by_time ON public.message_attempts USING btree (company_id, business_number_id, started_at) WHERE (kind <> 'auto_reply'::text);

CREATE INDEX message_attempts_of_message ON public.message_attempts USING btree (company_id, message_id, id);

CREATE UNIQUE INDEX message_attempts_retry_key ON public.message_attempts USING btree (company_id, message_id, idempotency_key) WHERE (kind = 'retry'::text);

CREATE UNIQUE INDEX message_attempts_send_key ON public.message_attempts USING btree (company_id, business_number_id, idempotency_key) WHERE (kind = 'send'::text);

CREATE INDEX messages_of_employee ON public.messages USING btree (employee_id) WHERE (employee_id IS NOT NULL);

CREATE UNIQUE INDEX messages_receipt ON public.messages USING btree (company_id, provider, provider_message_id) WHERE (direction = 'inbound'::text);

CREATE INDEX note_mentions_of_employee ON public.note_mentions USING btree (company_id, employee_id);

CREATE INDEX note_mentions_unseen ON public.note_mentions USING btree (company_id, employee_id, phone_number) WHERE (seen_at IS NULL);

CREATE INDEX oauth_access_tokens_expiry ON public.oauth_access_tokens USING btree (expires_at);

CREATE INDEX oauth_access_tokens_of_grant ON public.oauth_access_tokens USING btree (grant_id);

CREATE INDEX oauth_clients_registered ON public.oauth_clients USING btree (registered_from, created_at);

CREATE INDEX oauth_clients_unused ON public.oauth_clients USING btree (created_at) WHERE (used_at IS NULL);

CREATE INDEX oauth_codes_expiry ON public.oauth_codes USING btree (expires_at);

CREATE INDEX oauth_codes_of_grant ON public.oauth_codes USING btree (grant_id);

CREATE INDEX oauth_grants_of_client ON public.oauth_grants USING btree (client_id);

CREATE INDEX oauth_grants_of_employee ON public.oauth_grants USING btree (company_id, employee_id);

CREATE INDEX oauth_refresh_tokens_expiry ON public.oauth_refresh_tokens USING btree (expires_at);

CREATE INDEX oauth_refresh_tokens_of_grant ON public.oauth_refresh_tokens USING btree (grant_id);

CREATE INDEX outside_transfers_lately ON public.outside_transfers USING btree (company_id, started_at);

CREATE UNIQUE INDEX outside_transfers_ringing ON public.outside_transfers USING btree (company_id, call_id) WHERE (state = 'ringing'::text);

CREATE INDEX provisioning_links_expires_at ON public.provisioning_links USING btree (expires_at);

CREATE INDEX push_alerts_of_subscription ON public.push_alerts USING btree (company_id, subscription_id);

CREATE INDEX push_subscriptions_of_employee ON public.push_subscriptions USING btree (company_id, employee_id);

CREATE INDEX push_subscriptions_of_session ON public.push_subscriptions USING btree (company_id, session_id);

CREATE INDEX sessions_of_employee ON public.sessions USING btree (company_id, employee_id);

CREATE INDEX thread_notes_of_thread ON public.thread_notes USING btree (company_id, phone_number, id);

CREATE INDEX thread_writers_of_employee ON public.thread_writers USING btree (company_id, employee_id);

CREATE INDEX transcript_orders_failed ON public.transcript_orders USING btree (company_id, failure) WHERE (status = 'failed'::text);

CREATE INDEX transcript_orders_waiting ON public.transcript_orders USING btree (company_id, due_at NULLS FIRST, created_at) WHERE (status = 'waiting'::text);

CREATE INDEX transcript_turns_next ON public.transcript_turns USING btree (last_turn);

CREATE UNIQUE INDEX transfers_open ON public.transfers USING btree (company_id, call_id) WHERE (state = ANY (ARRAY['ringing'::text, 'consulting'::text]));

CREATE INDEX transfers_to ON public.transfers USING btree (to_employee_id) WHERE (state = ANY (ARRAY['ringing'::text, 'consulting'::text]));

CREATE INDEX voice_previews_by_time ON public.voice_previews USING btree (company_id, created_at);

CREATE INDEX voicemails_of_call ON public.voicemails USING btree (company_id, call_id) WHERE (call_id IS NOT NULL);

CREATE INDEX voicemails_unlistened ON public.voicemails USING btree (company_id) WHERE (listened_at IS NULL);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (company_id, subscription_id, next_attempt_at NULLS FIRST, id) WHERE (status = 'pending'::text);

CREATE TRIGGER api_key_gone AFTER DELETE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION announce_api_key_gone();

CREATE TRIGGER browsers_to_ring BEFORE INSERT ON public.call_queue FOR EACH ROW EXECUTE FUNCTION find_browsers_to_ring();

CREATE TRIGGER call_rings_browsers AFTER INSERT ON public.call_queue FOR EACH ROW WHEN (new.rings_browsers) EXECUTE FUNCTION ring_browsers();

CREATE TRIGGER call_stops_ringing_browsers AFTER DELETE ON public.call_queue FOR EACH ROW WHEN (old.rings_browsers) EXECUTE FUNCTION stop_ringing_browsers();

CREATE TRIGGER call_arrival BEFORE INSERT ON public.calls FOR EACH ROW WHEN (new.in_inbox) EXECUTE FUNCTION stamp_arrival();

CREATE TRIGGER call_in_inbox AFTER INSERT ON public.calls FOR EACH ROW WHEN (new.in_inbox) EXECUTE FUNCTION note_call_in_inbox();

CREATE TRIGGER call_in_inbox_later BEFORE UPDATE ON public.calls FOR EACH ROW WHEN ((NOT old.in_inbox)) EXECUTE FUNCTION enter_inbox_later();

CREATE TRIGGER call_text AFTER UPDATE OF transcription, context_text ON public.calls FOR EACH ROW WHEN (((old.transcription IS DISTINCT FROM new.transcription) OR ((new.transcription IS NOT NULL) AND (old.context_text IS DISTINCT FROM new.context_text)))) EXECUTE FUNCTION note_call_text();

CREATE TRIGGER call_words BEFORE UPDATE OF transcription, context_text, note, outcome ON public.calls FOR EACH ROW EXECUTE FUNCTION fill_call_words();

CREATE TRIGGER new_call_text AFTER INSERT ON public.calls FOR EACH ROW WHEN ((new.transcription IS NOT NULL)) EXECUTE FUNCTION note_call_text();

CREATE TRIGGER new_call_words BEFORE INSERT ON public.calls FOR EACH ROW WHEN (((new.transcription IS NOT NULL) OR (new.note IS NOT NULL))) EXECUTE FUNCTION fill_call_words();

CREATE TRIGGER second_factor_required AFTER UPDATE OF requires_two_factor ON public.companies FOR EACH ROW WHEN ((new.requires_two_factor AND (NOT old.requires_two_factor))) EXECUTE FUNCTION announce_second_factor_required();

CREATE TRIGGER contact_activity BEFORE INSERT OR UPDATE OF phone ON public.contacts FOR EACH ROW EXECUTE FUNCTION find_contact_activity();

CREATE TRIGGER contact_doubles_kept AFTER INSERT OR DELETE OR UPDATE OF name, company_name, email, phone, main_id ON public.contacts FOR EACH ROW EXECUTE FUNCTION keep_contact_doubles();

CREATE TRIGGER contact_further_numbers AFTER UPDATE OF name, email, company_name, note ON public.contacts FOR EACH ROW WHEN ((new.main_id IS NULL)) EXECUTE FUNCTION copy_to_further_numbers();

CREATE TRIGGER contact_notes_gone AFTER DELETE ON public.contacts FOR EACH ROW EXECUTE FUNCTION drop_notes_of_contact();

CREATE TRIGGER contact_searched_text BEFORE INSERT OR UPDATE OF name, company_name, email, note ON public.contacts FOR EACH ROW EXECUTE FUNCTION set_contact_searched_text();

CREATE TRIGGER contact_slice BEFORE INSERT ON public.contacts FOR EACH ROW EXECUTE FUNCTION choose_contact_slice();

CREATE TRIGGER contact_words BEFORE INSERT OR UPDATE OF name, company_name, email, phone ON public.contacts FOR EACH ROW EXECUTE FUNCTION set_contact_words();

CREATE TRIGGER contact_words_kept AFTER INSERT OR DELETE OR UPDATE OF name, company_name, email, phone ON public.contacts FOR EACH ROW EXECUTE FUNCTION keep_contact_words();

CREATE TRIGGER device_gone AFTER DELETE ON public.devices FOR EACH ROW EXECUTE FUNCTION announce_device_gone();

CREATE TRIGGER emails_apart BEFORE INSERT OR UPDATE OF email, unconfirmed_email ON public.employees FOR EACH ROW EXECUTE FUNCTION keep_emails_apart();

CREATE TRIGGER employee_gone AFTER DELETE ON public.employees FOR EACH ROW EXECUTE FUNCTION keep_former_employee();

CREATE TRIGGER contact_activity AFTER INSERT ON public.external_numbers FOR EACH ROW EXECUTE FUNCTION note_contact_activity();

CREATE TRIGGER external_number_ends AFTER INSERT ON public.external_numbers FOR EACH ROW EXECUTE FUNCTION add_external_number_ends();

CREATE TRIGGER message_arrival BEFORE INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION stamp_arrival();

CREATE TRIGGER message_in_inbox AFTER INSERT ON public.messages FOR EACH ROW EXECUTE FUNCTION note_message_in_inbox();

CREATE TRIGGER access_token_gone AFTER DELETE ON public.oauth_access_tokens FOR EACH ROW EXECUTE FUNCTION announce_access_token_gone();

CREATE TRIGGER session_gone AFTER DELETE ON public.sessions FOR EACH ROW EXECUTE FUNCTION announce_session_gone();

CREATE TRIGGER second_factor_gone AFTER DELETE ON public.two_factors FOR EACH ROW EXECUTE FUNCTION announce_second_factor_gone();

CREATE TRIGGER voicemail_arrival BEFORE INSERT ON public.voicemails FOR EACH ROW EXECUTE FUNCTION stamp_voicemail_arrival();

CREATE TRIGGER voicemail_gone_from_inbox AFTER DELETE ON public.voicemails FOR EACH ROW EXECUTE FUNCTION drop_voicemail_from_inbox();

CREATE TRIGGER voicemail_in_inbox AFTER INSERT ON public.voicemails FOR EACH ROW EXECUTE FUNCTION note_voicemail_in_inbox();
