-- `email` stays what an employee signs in with, and where letters about the account go. An address that was changed
-- stands beside it until it is confirmed, and is what the API shows meanwhile.
--
-- While processes of the version before run beside this one: they know `email` alone, so what waits to be confirmed
-- opens nothing in them either, and they show the earlier address. A change that is made through one of them still
-- takes effect at once, as it did before; the trigger then drops what was waiting. The last of them that stops closes
-- that door.
alter table employees add column unconfirmed_email text;

-- No two employees share an address, be it one to sign in with or one that waits: nobody can take what is another's,
-- or is about to be. The lock makes two who ask for the same address at once do so one after the other. Processes of
-- the version before know the refusal by the name of their own index.
create function keep_emails_apart() returns trigger language plpgsql as $$
declare
  wanted text;
begin
  if tg_op = 'UPDATE' and new.email <> old.email then
    new.unconfirmed_email := null;
  end if;
  for wanted in
    select distinct lower(address) from unnest(array[new.email, new.unconfirmed_email]) address
    where address is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('e-mail ' || wanted, 0));
    if exists (
      select from employees
      where id <> new.id and (lower(email) = wanted or lower(unconfirmed_email) = wanted)
    ) then
      raise unique_violation using
        message = 'the address is that of another employee', constraint = 'employees_email';
    end if;
  end loop;
  return new;
end
$$;
create trigger emails_apart before insert or update of email, unconfirmed_email on employees
  for each row execute function keep_emails_apart();
create index employees_unconfirmed_email on employees (lower(unconfirmed_email))
  where unconfirmed_email is not null;

-- The links that went out about an address that waits: to confirm it, and to take it back. A hash is there from when
-- its letter is written.
create table email_changes (
  company_id uuid not null,
  employee_id uuid not null,
  confirm_hash bytea constraint email_changes_confirm unique,
  confirm_expires_at timestamptz,
  cancel_hash bytea constraint email_changes_cancel unique,
  primary key (company_id, employee_id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
