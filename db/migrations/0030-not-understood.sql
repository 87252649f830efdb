-- Speech that the engine did not understand is not a language that no engine supports: callers and operators are told
-- which of the two it is.

alter table transcript_orders
  drop constraint transcript_orders_failure_check,
  add constraint transcript_orders_failure_check
    check (failure in ('language', 'not_understood', 'recording', 'refused', 'unavailable'));

update transcript_orders set failure = 'not_understood'
where failure = 'language' and reason like 'The recording has speech, but %';
