-- Employees call each other. An extension is given by the application, which knows the short numbers of each country:
-- also to employees of before, and to those whom a process of the previous release adds meanwhile.
create table extensions (
  company_id uuid not null,
  extension text not null check (extension ~ '^[1-9][0-9]{1,4}$'),
  employee_id uuid not null unique,
  primary key (company_id, extension),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);

-- Not in `calls`: whatever lists, counts, searches or publishes calls would have to leave them out.
create table internal_calls (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  edge_id uuid not null,
  from_employee_id uuid not null,
  from_extension text not null,
  to_employee_id uuid not null,
  to_extension text not null,
  state text not null default 'initiated' check (state in ('initiated', 'answered', 'ended')),
  started_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  primary key (company_id, id)
);

create index internal_calls_of_edge on internal_calls (edge_id) where state <> 'ended';
create index internal_calls_in_progress on internal_calls (company_id, id) where state <> 'ended';
create index internal_calls_placed_lately on internal_calls (company_id, started_at);
create index internal_calls_in_progress_from on internal_calls (company_id, from_employee_id) where state <> 'ended';
create index internal_calls_in_progress_to on internal_calls (company_id, to_employee_id) where state <> 'ended';

create or replace function employee_status(company uuid, employee uuid, wants_no_calls boolean, is_invited boolean)
returns text language plpgsql stable as $$
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
$$;
