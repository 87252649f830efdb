-- A number that first calls or writes waited for any other that had the same one of 256 locks, of whatever company.
-- Contacts are made one by one, so that a lock for each number does not exhaust the lock table.

-- Nobody may hold the previous lock of a number while another takes the new one. In the order in which an arrival
-- locks them.
lock table external_numbers, contacts in share mode;

create or replace function contact_activity_lock(company uuid, phone text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended('contact activity ' || company::text || phone, 0)
$$;
