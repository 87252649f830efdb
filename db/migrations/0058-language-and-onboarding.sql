-- The language in which an employee reads e-mails; null until it is known, and then the company's country decides.
alter table employees add column language text check (language ~ '^[a-z]{2}$');

-- Who has put away the list of first steps.
create table onboarding_dismissals (
  company_id uuid not null references companies,
  employee_id uuid not null,
  dismissed_at timestamptz not null default now(),
  primary key (company_id, employee_id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade
);
