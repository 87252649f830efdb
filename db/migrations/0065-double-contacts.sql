-- In steps: contacts can be written all the while.

-- The names and e-mail addresses that several contacts have, so that doubles are found without comparing all contacts.
create table if not exists contact_doubles (
  company_id uuid not null references companies,
  field text not null check (field in ('name', 'email')),
  value text not null,
  primary key (company_id, field, value)
);

-- Next step
drop index concurrently if exists contacts_by_email;

-- Next step
create index concurrently contacts_by_email on contacts (company_id, lower(email)) where email is not null;

-- Next step
-- What doubles have in common. A further number has the values of its contact, and is not a double of it.
create or replace function double_keys(main_id uuid, name text, name_key text, email text)
  returns table (field text, value text) language sql stable as $$
  select 'name', name_key where main_id is null and trim(name) <> ''
  union all
  select 'email', lower(email) where main_id is null and email is not null
$$;

-- One of 64 locks of a company: an import in one transaction must not take a lock for each contact.
create or replace function double_lock(company uuid, field text, value text) returns bigint language sql stable as $$
  select hashtextextended('doubles ' || company || ' ' || (hashtext(field || ' ' || value) & 63), 0)
$$;

-- Counts the contacts that have the value. Two that are added at once would not see each other without the lock.
create or replace function note_double(company uuid, changed_field text, changed_value text) returns void
  language plpgsql as $$
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
$$;

create or replace function keep_contact_doubles() returns trigger language plpgsql as $$
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
$$;
create or replace trigger contact_doubles_kept
  after insert or delete or update of name, company_name, email, phone, main_id on contacts
  for each row execute function keep_contact_doubles();

-- Next step
-- Contacts that were written since have noted theirs already.
do $$
declare
  company uuid;
  found_double record;
  noted int := 0;
begin
  for company in select id from companies order by id loop
    for found_double in
      select 'name' as field, name_key as value from contacts
      where company_id = company and main_id is null and trim(name) <> ''
      group by name_key having count(*) between 2 and 10
      union all
      select 'email', lower(email) from contacts
      where company_id = company and main_id is null and email is not null
      group by lower(email) having count(*) between 2 and 10
    loop
      perform note_double(company, found_double.field, found_double.value);
      noted := noted + 1;
      if noted % 500 = 0 then commit; end if;
    end loop;
    commit;
  end loop;
end
$$;
