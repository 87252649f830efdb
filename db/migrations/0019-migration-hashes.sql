-- What each migration said when it was applied, so that one that was changed since is noticed. Null until the first
-- start of a version that knows of it: older ones, which may run beside, write a migration down without it.
alter table schema_migrations add column hash text;
