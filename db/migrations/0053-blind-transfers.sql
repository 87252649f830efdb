-- Whether the coworker gets the customer as soon as they answer, so that clients can say so while it rings.
alter table transfers add column is_blind boolean not null default false;
