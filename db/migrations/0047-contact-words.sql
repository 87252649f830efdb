-- The address book is paged, sorted and searched by the server. A search looks up the beginnings of words in an index
-- that has the order of the result too, so that matches are counted and sorted without reading the contacts themselves.

-- The words of a text as they are compared: small letters without accents, divided by whatever ASCII or typography
-- count as punctuation. The ranges are written out, because classes of letters depend on the locale of the database.
create function search_words(text text) returns setof text language sql immutable parallel safe as $$
  select distinct left(word, 40)
  from regexp_split_to_table(
    translate(search_text($1), '''’', ''), '[\u0001-/:-@\[-`{-\u00bf\u2000-\u206f\u3000-\u303f]+'
  ) as word
  where word <> ''
$$;

alter table contacts
  -- What contacts are sorted by.
  add column name_key text collate "C" not null default '',
  -- The words of its name, company and e-mail address, each after a space.
  add column words text collate "C" not null default '';

-- Contacts without a name come last, by number.
create function sort_key_of_contact(name text, company_name text, phone text) returns text
language sql immutable parallel safe as $$
  select left(coalesce(
    nullif(trim(search_text(name)), ''), nullif(trim(search_text(company_name)), ''), chr(1114111) || phone
  ), 60)
$$;

create function words_of_contact(name text, company_name text, email text) returns text
language sql immutable parallel safe as $$
  select coalesce(string_agg(' ' || word, ''), '') from search_words(concat_ws(' ', name, company_name, email)) as word
$$;

create function set_contact_words() returns trigger language plpgsql as $$
begin
  new.name_key := sort_key_of_contact(new.name, new.company_name, new.phone);
  new.words := words_of_contact(new.name, new.company_name, new.email);
  return new;
end
$$;
create trigger contact_words before insert or update of name, company_name, email, phone on contacts
  for each row execute function set_contact_words();

create table contact_words (
  company_id uuid not null,
  word text collate "C" not null,
  name_key text collate "C" not null,
  contact_id uuid not null,
  primary key (company_id, word, name_key, contact_id)
);

-- The words, and every end of the number: its digits are found wherever in it they begin.
create function searched_words(words text, phone text) returns setof text language sql immutable parallel safe as $$
  select string_to_table(substr(words, 2), ' ') where words <> ''
  union
  select substr(phone, first) from generate_series(2, length(phone) - 1) as first
$$;

create function keep_contact_words() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from contact_words
    where company_id = old.company_id and name_key = old.name_key and contact_id = old.id
      and word = any(array(select searched_words(old.words, old.phone)));
  end if;
  if tg_op <> 'DELETE' then
    insert into contact_words (company_id, word, name_key, contact_id)
    select new.company_id, word, new.name_key, new.id from searched_words(new.words, new.phone) as word;
  end if;
  return null;
end
$$;
create trigger contact_words_kept after insert or delete or update of name, company_name, email, phone on contacts
  for each row execute function keep_contact_words();
