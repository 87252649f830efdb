-- Processes that hold calls. One that no longer gives a sign of life is gone, and its calls with it.
create table edges (
  id uuid primary key default new_id(),
  -- Where other edges reach it, by SIP over TCP or UDP.
  sip_host text not null,
  sip_port integer not null,
  -- It takes no new calls and leaves when the running ones are over.
  draining boolean not null default false,
  started_at timestamptz not null default now(),
  alive_at timestamptz not null default now()
);

-- Where devices can be reached, and by which edge.
create table device_registrations (
  company_id uuid not null,
  employee_id uuid not null,
  device_id uuid not null references devices on delete cascade,
  username text not null,
  -- Tells the lines of a device apart.
  key text not null,
  edge_id uuid not null references edges on delete cascade,
  -- As the registrar knows it.
  binding jsonb not null,
  expires_at timestamptz not null,
  primary key (username, key)
);
create index device_registrations_of_employee on device_registrations (company_id, employee_id);
create index device_registrations_of_edge on device_registrations (edge_id);
create index device_registrations_of_device on device_registrations (device_id);

-- What the API asks of the edge that holds a call. Taken once, and answered.
create table edge_commands (
  company_id uuid not null,
  id uuid not null default new_id(),
  edge_id uuid not null references edges on delete cascade,
  call_id uuid not null,
  command jsonb not null,
  created_at timestamptz not null default now(),
  taken_at timestamptz,
  -- Null until it was carried out, or refused.
  answer jsonb,
  primary key (company_id, id)
);
create index edge_commands_waiting on edge_commands (edge_id) where taken_at is null;
create index edge_commands_by_age on edge_commands (created_at);

alter table calls
  -- While it is in progress: who holds it, and which employee is in command of it.
  add column edge_id uuid,
  add column controller_id uuid,
  -- Why it is over, in a word: who hung up, or what failed.
  add column end_reason text;
create index calls_of_edge on calls (edge_id) where state <> 'ended';
create index calls_in_hand on calls (company_id, controller_id) where state <> 'ended' and controller_id is not null;

-- Callers who wait for an employee, first come, first served.
create table call_queue (
  company_id uuid not null,
  call_id uuid not null,
  business_number_id uuid not null,
  edge_id uuid not null,
  -- Who may answer.
  employee_ids uuid[] not null,
  -- Since the caller first waited, also when the flow has moved on to other employees.
  joined_at timestamptz not null,
  primary key (company_id, call_id)
);
create index call_queue_in_order on call_queue (company_id, joined_at, call_id);

-- A caller rings at an employee's devices. An employee rings for one caller at a time.
create table call_offers (
  company_id uuid not null,
  call_id uuid not null,
  employee_id uuid not null,
  -- It rings no more: the employee declined, or could not be reached. The edge forgets that after a while.
  declined boolean not null default false,
  primary key (company_id, call_id, employee_id),
  foreign key (company_id, call_id) references call_queue (company_id, call_id) on delete cascade
);
create unique index call_offers_ringing on call_offers (employee_id) where not declined;

-- Warm transfers.
create table transfers (
  company_id uuid not null,
  id uuid not null default new_id(),
  call_id uuid not null,
  state text not null check (state in ('ringing', 'consulting', 'completed', 'cancelled', 'failed')),
  from_employee_id uuid not null,
  to_employee_id uuid not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (company_id, id)
);
create unique index transfers_open on transfers (company_id, call_id) where state in ('ringing', 'consulting');
create index transfers_to on transfers (to_employee_id) where state in ('ringing', 'consulting');

-- The presence that was last told of, so that a change is told of once.
alter table employees add column told_status text;
