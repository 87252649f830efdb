-- In steps: contacts can be written all the while.

-- The triggers of 0047 do the work. Contacts that were written since have their words already.
do $$
declare
  done_company uuid := '00000000-0000-0000-0000-000000000000';
  done_id uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    with batch as materialized (
      select company_id, id from contacts
      where (company_id, id) > (done_company, done_id)
      order by company_id, id limit 500
    ), filled as (
      update contacts set name = name from batch
      where contacts.company_id = batch.company_id and contacts.id = batch.id and contacts.name_key = ''
    )
    select company_id, id into done_company, done_id from batch order by company_id desc, id desc limit 1;
    exit when not found;
    commit;
  end loop;
end
$$;

-- Next step
drop index concurrently if exists contacts_by_name;

-- Next step
create index concurrently contacts_by_name on contacts (company_id, name_key, id);
