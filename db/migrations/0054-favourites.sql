-- Whom an employee calls often: a number, or a coworker. They are at the top of the employee's phone, in every browser.
create table favourites (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  employee_id uuid not null,
  phone text,
  coworker_id uuid,
  primary key (company_id, id),
  foreign key (company_id, employee_id) references employees (company_id, id) on delete cascade,
  foreign key (company_id, coworker_id) references employees (company_id, id) on delete cascade,
  check (num_nonnulls(phone, coworker_id) = 1)
);

create unique index favourites_phone on favourites (company_id, employee_id, phone) where phone is not null;
create unique index favourites_coworker on favourites (company_id, employee_id, coworker_id) where coworker_id is not null;
-- For the deletion of a coworker.
create index favourites_of_coworker on favourites (company_id, coworker_id) where coworker_id is not null;
