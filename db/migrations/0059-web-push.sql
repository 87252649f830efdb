-- Browsers that are rung by Web Push (RFC 8030) when a call waits, whether or not a tab of theirs is open.
create table push_subscriptions (
  company_id uuid not null references companies,
  id uuid not null default new_id(),
  employee_id uuid not null,
  -- It ends with the session: whoever has signed out is not rung.
  session_id uuid not null,
  -- A browser belongs to the employee who signed in there last.
  endpoint_hash bytea not null,
  -- The endpoint and the keys of the browser: whoever has them can show something there.
  subscription_sealed bytea not null,
  language text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  constraint push_subscriptions_endpoint unique (endpoint_hash),
  constraint push_subscriptions_employee foreign key (company_id, employee_id)
    references employees (company_id, id) on delete cascade,
  constraint push_subscriptions_session foreign key (company_id, session_id)
    references sessions (company_id, id) on delete cascade
);
create index push_subscriptions_of_employee on push_subscriptions (company_id, employee_id);
create index push_subscriptions_of_session on push_subscriptions (company_id, session_id);

-- The browsers that show a call which waits, until it no longer does.
create table push_alerts (
  company_id uuid not null,
  call_id uuid not null,
  subscription_id uuid not null,
  is_sent boolean not null default false,
  primary key (company_id, call_id, subscription_id),
  foreign key (company_id, call_id) references calls (company_id, id) on delete cascade,
  foreign key (company_id, subscription_id) references push_subscriptions (company_id, id) on delete cascade
);
create index push_alerts_of_subscription on push_alerts (company_id, subscription_id);

-- Found once, when the caller joins the queue: without such browsers, neither joining nor leaving it orders a job.
alter table call_queue add column rings_browsers boolean not null default false;

create function find_browsers_to_ring() returns trigger language plpgsql as $$
begin
  new.rings_browsers := exists (
    select from push_subscriptions
    where company_id = new.company_id and employee_id = any(new.employee_ids)
  );
  return new;
end
$$;
create trigger browsers_to_ring before insert on call_queue
  for each row execute function find_browsers_to_ring();

create function ring_browsers() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job(
    'push.call_waits', json_build_object('companyId', new.company_id, 'callId', new.call_id, 'since', now())
  );
  return null;
end
$$;
create trigger call_rings_browsers after insert on call_queue
  for each row when (new.rings_browsers) execute function ring_browsers();

create function stop_ringing_browsers() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job(
    'push.call_left', json_build_object('companyId', old.company_id, 'callId', old.call_id)
  );
  return null;
end
$$;
create trigger call_stops_ringing_browsers after delete on call_queue
  for each row when (old.rings_browsers) execute function stop_ringing_browsers();
