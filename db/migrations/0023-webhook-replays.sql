-- How often somebody asked for it again. An attempt that began before the last time does not decide what becomes of it.
alter table webhook_deliveries add column replays integer not null default 0;
