-- Jobs that other services delay, and of which one company may have very many: companies take turns (decision 89).
create table company_jobs (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  kind text not null,
  payload json not null,
  -- Later while a worker has it, and after a failure.
  due_at timestamptz not null default now(),
  tries int not null default 0,
  primary key (company_id, id)
);
create index company_jobs_due on company_jobs (company_id, due_at, id);
