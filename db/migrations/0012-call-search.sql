-- What the saved caller context of a call says, as words to search for.
alter table calls add column context_text text;

-- Words of the context count only beside a transcription: calls without one do not match.
create or replace function fill_call_words() returns trigger language plpgsql as $$
declare
  config regconfig;
  said text;
begin
  if new.transcription is null then
    new.words := null;
    new.slice := null;
    return new;
  end if;
  said := concat_ws(E'\n', new.transcription, new.context_text);
  select text_search_config(language) into config from business_numbers
  where company_id = new.company_id and id = new.business_number_id;
  new.words := to_tsvector(config, said) || to_tsvector('simple', said);
  if new.slice is null then
    select max(id) into new.slice from call_slices where company_id = new.company_id;
    -- One id in 4,096, by its random end, begins a new slice: counting would make all calls wait for one another.
    if new.slice is null or right(new.id::text, 3) = '000' then
      insert into call_slices (company_id) values (new.company_id) returning id into new.slice;
    end if;
  end if;
  return new;
end
$$;

drop trigger call_words on calls;
create trigger call_words before update of transcription, context_text on calls
  for each row execute function fill_call_words();

-- Numbered over all companies, so that the number of a cell alone says whose vectors it has, and by which model.
create sequence meaning_cell_ids as integer;

-- What calls mean, as vectors that lie near one another when texts mean alike. A search compares itself with the
-- centres of the cells, and then with the vectors of the nearest few: it costs about the same however many there are.
create table meaning_cells (
  company_id uuid not null references companies,
  id integer not null default nextval('meaning_cell_ids'),
  -- Vectors of two models, or of two lengths, cannot be compared.
  model text not null,
  dimensions integer not null,
  -- The signs of the mean of its vectors.
  centre bit varying not null,
  primary key (company_id, id)
);

create table call_meanings (
  company_id uuid not null,
  call_id uuid not null,
  -- A long call has a vector for every few sentences.
  part smallint not null,
  cell integer not null,
  -- One bit for each dimension; the distance of two is how many differ.
  signs bit varying not null,
  -- One signed byte for each dimension.
  vector bytea not null,
  primary key (company_id, call_id, part),
  foreign key (company_id, call_id) references calls (company_id, id) on delete cascade,
  foreign key (company_id, cell) references meaning_cells (company_id, id)
);
-- Everything that the first look at a cell needs lies side by side in the index.
create index call_meanings_of_cell on call_meanings (company_id, cell) include (call_id, part, signs);

-- Calls whose text has changed since their vectors were made.
create table call_meanings_due (
  company_id uuid not null,
  call_id uuid not null,
  -- Another one for each change, so that who has read the text before it knows.
  change_id uuid not null default gen_random_uuid(),
  primary key (company_id, call_id),
  foreign key (company_id, call_id) references calls (company_id, id) on delete cascade
);

-- Other work goes first: a call is found by its words meanwhile.
create function order_call_meanings(company uuid, call uuid) returns void language plpgsql as $$
begin
  insert into call_meanings_due (company_id, call_id) values (company, call)
  on conflict (company_id, call_id) do update set change_id = gen_random_uuid();
  perform graphile_worker.add_job(
    'calls.embed', json_build_object('companyId', company, 'callId', call),
    job_key => 'calls.embed:' || call, priority => 10
  );
end
$$;

-- Whoever stores a transcription or caller context cannot forget it.
create function note_call_text() returns trigger language plpgsql as $$
begin
  perform order_call_meanings(new.company_id, new.id);
  return null;
end
$$;
create trigger new_call_text after insert on calls
  for each row when (new.transcription is not null) execute function note_call_text();
create trigger call_text after update of transcription, context_text on calls
  for each row when (
    old.transcription is distinct from new.transcription
    or new.transcription is not null and old.context_text is distinct from new.context_text
  )
  execute function note_call_text();

insert into call_meanings_due (company_id, call_id) select company_id, id from calls where transcription is not null;
