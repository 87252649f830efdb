-- In steps: none of them keeps anybody from reading or writing.

-- PostgreSQL vacuums a table when a fifth of its rows are dead, and analyzes it when a tenth have changed. Of ten million
-- calls that is two million dead rows with their index entries, and then one long vacuum of everything. In these tables it
-- is a fiftieth. Rows that are only inserted count too: their pages are marked as visible to all, so that counts along an
-- index need not look at them.
alter table calls set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);

-- Next step
alter table inbox_items set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);

-- Next step
alter table inbox_threads set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Next step
alter table external_numbers set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Next step
alter table messages set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);

-- Next step
alter table message_attempts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Next step
-- Each is inserted, changed once, and deleted after a month.
alter table webhook_deliveries set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);

-- Next step
alter table events set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
