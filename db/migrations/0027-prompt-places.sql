-- The last audio that was ready in each place of a number's call flows. Callers hear it while a new text is synthesised.
-- A process of an older version deletes the prompt that a place falls back on, and the place with it.
create table prompt_places (
  company_id uuid not null,
  business_number_id uuid not null,
  place text not null,
  digest text not null,
  primary key (company_id, business_number_id, place),
  foreign key (company_id, business_number_id, digest) references prompts on delete cascade
);
