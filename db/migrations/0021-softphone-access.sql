-- What the credentials of a browser or a program were made with. They go with it, however it ends, and with them go
-- their registrations. All three are null for a phone whose credentials were typed in, and for credentials that a
-- process of an older version made while both ran: those work until they expire.
alter table devices
  add column session_id uuid,
  add column api_key_id uuid references api_keys on delete cascade,
  add column oauth_grant_id uuid references oauth_grants on delete cascade,
  add constraint devices_session foreign key (company_id, session_id)
    references sessions (company_id, id) on delete cascade,
  add constraint devices_made_with_one check (num_nonnulls(session_id, api_key_id, oauth_grant_id) <= 1);
create index devices_of_session on devices (company_id, session_id) where session_id is not null;
create index devices_of_api_key on devices (api_key_id) where api_key_id is not null;
create index devices_of_oauth_grant on devices (oauth_grant_id) where oauth_grant_id is not null;

-- However a device goes, every edge hears of it: it forgets the device, and what rings there stops.
create function announce_device_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_gone', concat_ws(' ', old.company_id, old.employee_id, old.username));
  return null;
end
$$;
create trigger device_gone after delete on devices
  for each row execute function announce_device_gone();

-- A session that comes to lack the second factor its company asks for can do nothing until it has one, and neither can
-- its phones.
create or replace function announce_sessions_lacking_second_factor(of_company uuid) returns void language plpgsql as $$
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
$$;
