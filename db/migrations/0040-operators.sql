-- Employees who may see the installation's carriers in the dashboard. Only the command line makes somebody an operator.
alter table employees add column is_operator boolean not null default false;
