-- How many letters somebody has caused of late, whom the subject names as a hash: a company, a network, a recipient.
-- Each letter moves the time on by what it costs, and the time that has passed pays it back. In the database, so that
-- all processes count together. Processes of the version before write no row here, and their letters are not counted.
create table letter_paces (
  subject bytea primary key,
  paid_back_at timestamptz not null
);
create index letter_paces_by_end on letter_paces (paid_back_at);
