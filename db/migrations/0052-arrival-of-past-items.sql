-- What happened before it is stored, such as the week of the demo company, arrives at the time that the transaction
-- has set. Otherwise, and in processes that do not know of it, everything arrives now.
create or replace function next_arrival(company uuid, phone text) returns timestamptz language plpgsql as $$
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
$$;
