-- Whether an employee can be reached, from what is known of calls and devices, in the order of precedence.
create function employee_status(employee employees) returns text stable language sql as $$
  select case
    when exists (
      select from calls
      where company_id = employee.company_id and controller_id = employee.id and state <> 'ended'
    ) or exists (
      select from transfers where to_employee_id = employee.id and state = 'consulting'
    ) then 'on_call'
    when employee.do_not_disturb_activated_at is not null
      and coalesce(employee.do_not_disturb_expires_at > now(), true) then 'do_not_disturb'
    when exists (select from call_offers where employee_id = employee.id and not declined)
      or exists (select from transfers where to_employee_id = employee.id and state = 'ringing') then 'ringing'
    when not employee.invitation_pending and exists (
      select from device_registrations
      where company_id = employee.company_id and employee_id = employee.id and expires_at > now()
    ) then 'available'
    else 'logged_out'
  end
$$;

-- Which number an employee showed last, and how many calls a company placed of late.
create index calls_placed_by on calls (company_id, initiated_by, id) where direction = 'outbound';
create index calls_placed_lately on calls (company_id, started_at) where direction = 'outbound';
