-- Calls keep who took and placed them after the employee is deleted, with the name as it was then.
create table former_employees (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null,
  primary key (company_id, id)
);
alter table call_employees drop constraint call_employees_company_id_employee_id_fkey;
alter table calls drop constraint calls_initiated_by_fkey;

-- Triggers, because a process of an older version deletes employees too. Every edge hears of it, and hangs up their
-- phones.
create function keep_former_employee() returns trigger language plpgsql as $$
begin
  insert into former_employees (company_id, id, name) values (old.company_id, old.id, old.name);
  perform pg_notify('employee_gone', old.id::text);
  return null;
end
$$;
create trigger employee_gone after delete on employees
  for each row execute function keep_former_employee();
