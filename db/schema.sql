-- What the migrations add up to, to be read: migrations make it, and a test keeps it true.
-- After a new migration, `npx vitest run test/schema.test.ts -u` writes it anew.

CREATE OR REPLACE FUNCTION public.announce_api_key_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('api_key_gone', old.id::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.new_id()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  select (
    lpad(to_hex(us / 1000), 12, '0') || '7' ||
    lpad(to_hex((us % 1000) * 4096 / 1000), 3, '0') ||
    substr(replace(gen_random_uuid()::text, '-', ''), 17)
  )::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as clock
$function$;

create table api_keys (
  id uuid not null default new_id(),
  company_id uuid not null,
  employee_id uuid not null,
  name text not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint api_keys_pkey PRIMARY KEY (id)
);

create table business_numbers (
  company_id uuid not null,
  id uuid not null default new_id(),
  name text not null,
  number text not null,
  timezone text not null,
  language text not null,
  recording_enabled boolean not null default false,
  incoming_call_config jsonb not null,
  outside_business_hours_config jsonb,
  no_answer_config jsonb,
  no_answer_timeout_secs integer,
  wait_audio text not null default 'ringtone'::text,
  registration_status text not null default 'not_required'::text,
  registration_due_at timestamp with time zone,
  registration_reason text,
  business_hours jsonb not null,
  sms_capable boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint business_numbers_pkey PRIMARY KEY (company_id, id),
  constraint business_numbers_number UNIQUE (number),
  constraint business_numbers_no_answer_timeout_secs_check CHECK ((no_answer_timeout_secs = ANY (ARRAY[15, 30, 60, 300, 600, 1200, 1800, 2700, 3600]))),
  constraint business_numbers_registration_status_check CHECK ((registration_status = ANY (ARRAY['not_required'::text, 'pending'::text, 'submitted'::text, 'approved'::text, 'rejected'::text, 'failed'::text]))),
  constraint business_numbers_wait_audio_check CHECK ((wait_audio = ANY (ARRAY['ringtone'::text, 'music'::text])))
);

create table call_targets (
  company_id uuid not null,
  business_number_id uuid not null,
  slot text not null,
  employee_id uuid not null,
  constraint call_targets_pkey PRIMARY KEY (company_id, business_number_id, slot, employee_id),
  constraint call_targets_slot_check CHECK ((slot = ANY (ARRAY['incoming_call'::text, 'outside_business_hours'::text, 'no_answer'::text])))
);

create table companies (
  id uuid not null default new_id(),
  name text not null,
  address text,
  city text,
  state text,
  zip text,
  country text not null,
  vat_id text,
  requires_two_factor boolean not null default false,
  messaging_enabled boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint companies_pkey PRIMARY KEY (id),
  constraint companies_country_check CHECK ((country ~ '^[A-Z]{2}$'::text))
);

create table contacts (
  company_id uuid not null,
  id uuid not null default new_id(),
  name text,
  email text,
  phone text not null,
  phone_formatted text not null,
  company_name text,
  note text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint contacts_pkey PRIMARY KEY (company_id, id),
  constraint contacts_phone UNIQUE (company_id, phone)
);

create table devices (
  id uuid not null default new_id(),
  company_id uuid not null,
  employee_id uuid not null,
  name text not null,
  username text not null,
  password_sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_username UNIQUE (username)
);

create table employees (
  id uuid not null default new_id(),
  company_id uuid not null,
  name text not null,
  email text not null,
  phone text,
  password_hash text,
  invitation_pending boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint employees_pkey PRIMARY KEY (id),
  constraint employees_of_company UNIQUE (company_id, id)
);

create table invitations (
  employee_id uuid not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint invitations_pkey PRIMARY KEY (employee_id),
  constraint invitations_token_hash_key UNIQUE (token_hash)
);

create table oauth_clients (
  id uuid not null default new_id(),
  name text not null,
  redirect_uris text[] not null,
  first_party boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint oauth_clients_pkey PRIMARY KEY (id)
);

create table schema_migrations (
  name text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

alter table api_keys add constraint api_keys_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table business_numbers add constraint business_numbers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table call_targets add constraint call_targets_company_id_business_number_id_fkey FOREIGN KEY (company_id, business_number_id) REFERENCES business_numbers(company_id, id) ON DELETE CASCADE;

alter table call_targets add constraint call_targets_employee FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id);

alter table contacts add constraint contacts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table devices add constraint devices_company_id_employee_id_fkey FOREIGN KEY (company_id, employee_id) REFERENCES employees(company_id, id) ON DELETE CASCADE;

alter table employees add constraint employees_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id);

alter table invitations add constraint invitations_employee_id_fkey FOREIGN KEY (employee_id) REFERENCES employees(id) ON DELETE CASCADE;

CREATE INDEX api_keys_of_employee ON public.api_keys USING btree (company_id, employee_id);

CREATE INDEX call_targets_of_employee ON public.call_targets USING btree (company_id, employee_id);

CREATE INDEX devices_of_employee ON public.devices USING btree (company_id, employee_id);

CREATE UNIQUE INDEX employees_email ON public.employees USING btree (lower(email));

CREATE TRIGGER api_key_gone AFTER DELETE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION announce_api_key_gone();
