-- The steps of a call look for it by its id among those that have not ended. While no call is live, as when the
-- statistics are made at night, an index of live calls seems to be empty, and reading all of it cheaper than the primary
-- key. So each step read all live calls of the installation, and all that had ended since the last vacuum.

-- Now such an index finds the call itself, and the live calls of a company in their order.
drop index calls_in_progress;
create index calls_in_progress on calls (company_id, id) where state <> 'ended';

-- The second condition is implied by any search for an edge, and keeps other searches away.
drop index calls_of_edge;
create index calls_of_edge on calls (edge_id) where state <> 'ended' and edge_id is not null;

-- Between indexes that seem equally good, PostgreSQL takes the youngest: for the call of an employee it must be this one.
drop index calls_in_hand;
create index calls_in_hand on calls (company_id, controller_id) where state <> 'ended' and controller_id is not null;
