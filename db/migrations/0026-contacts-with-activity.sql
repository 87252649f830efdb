-- A search of the inbox looks only at contacts who have a thread: those of an imported address book who never called
-- would otherwise be all that it finds.
alter table contacts
  add column has_activity boolean not null default false,
  -- What a search looks at: computing it for every match would take most of the time.
  add column searched_text text not null default '';

create function set_contact_searched_text() returns trigger language plpgsql as $$
begin
  new.searched_text := search_text(contact_text(new.name, new.company_name, new.email, new.note));
  return new;
end
$$;
create trigger contact_searched_text before insert or update of name, company_name, email, note on contacts
  for each row execute function set_contact_searched_text();

-- Of a contact that is made while its number first calls, neither transaction sees the other's row. So they exclude
-- each other, by one of 256 locks: one for each number would exhaust the lock table when contacts are made in bulk.
create function contact_activity_lock(company uuid, phone text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended('contact activity', 0) + (hashtextextended(company::text || phone, 0) & 255)
$$;

create function find_contact_activity() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(contact_activity_lock(new.company_id, new.phone));
  new.has_activity := exists (
    select from external_numbers where company_id = new.company_id and phone_number = new.phone
  );
  return new;
end
$$;

create function note_contact_activity() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(contact_activity_lock(new.company_id, new.phone_number));
  update contacts set has_activity = true
  where company_id = new.company_id and phone = new.phone_number and not has_activity;
  return null;
end
$$;

create trigger contact_activity before insert or update of phone on contacts
  for each row execute function find_contact_activity();
create trigger contact_activity after insert on external_numbers
  for each row execute function note_contact_activity();

update contacts
set searched_text = search_text(contact_text(name, company_name, email, note)),
  has_activity = exists (
    select from external_numbers where company_id = contacts.company_id and phone_number = contacts.phone
  );

create index contacts_with_activity on contacts
  using gin (slice, in_ascii(searched_text) gin_trgm_ops) where has_activity;
-- Processes of the previous version search without an index until they are replaced.
drop index contacts_text;
