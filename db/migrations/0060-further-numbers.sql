-- In steps: contacts can be written all the while.

-- Contacts that were merged: each number keeps its row, so that whatever looks a number up finds the contact as before.
-- The row of a further number names the contact whose values it has.
alter table contacts add column if not exists main_id uuid;
alter table contacts drop constraint if exists contacts_main;
alter table contacts add constraint contacts_main foreign key (company_id, main_id)
  references contacts (company_id, id) on delete cascade not valid;

-- Next step
alter table contacts validate constraint contacts_main;

-- Next step
drop index concurrently if exists contacts_further;

-- Next step
create index concurrently contacts_further on contacts (company_id, main_id) where main_id is not null;

-- Next step
-- Processes of the previous version change contacts too.
create or replace function copy_to_further_numbers() returns trigger language plpgsql as $$
begin
  update contacts set name = new.name, email = new.email, company_name = new.company_name, note = new.note
  where company_id = new.company_id and main_id = new.id
    and (name, email, company_name, note)
      is distinct from (new.name, new.email, new.company_name, new.note);
  return null;
end
$$;
create or replace trigger contact_further_numbers after update of name, email, company_name, note on contacts
  for each row when (new.main_id is null) execute function copy_to_further_numbers();
