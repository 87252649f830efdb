-- Whether an employee can be reached, from what is known of calls and devices, in the order of precedence.
create function employee_status(company uuid, employee uuid, wants_no_calls boolean, is_invited boolean)
returns text stable language plpgsql as $$
begin
  return case
    when exists (
      select from calls where company_id = company and controller_id = employee and state <> 'ended'
    ) or exists (
      select from transfers where to_employee_id = employee and state = 'consulting'
    ) then 'on_call'
    when wants_no_calls then 'do_not_disturb'
    when exists (select from call_offers where employee_id = employee and not declined)
      or exists (select from transfers where to_employee_id = employee and state = 'ringing') then 'ringing'
    when not is_invited and exists (
      select from device_registrations
      where company_id = company and employee_id = employee and expires_at > now()
    ) then 'available'
    else 'logged_out'
  end;
end
$$;

create function wants_no_calls(activated_at timestamptz, expires_at timestamptz)
returns boolean stable language plpgsql as $$
begin
  return activated_at is not null and coalesce(expires_at > now(), true);
end
$$;

-- Which number an employee showed last, and how many calls a company placed of late.
create index calls_placed_by on calls (company_id, initiated_by, id) where direction = 'outbound';
create index calls_placed_lately on calls (company_id, started_at) where direction = 'outbound';
