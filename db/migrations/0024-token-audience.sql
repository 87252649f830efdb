-- RFC 8707: a token that was asked for with the address of /mcp opens /mcp alone. What was granted before keeps what
-- it has, which is everything. A token may be narrower than its grant, never wider.
alter table oauth_grants add column mcp_only boolean not null default false;
alter table oauth_access_tokens add column mcp_only boolean not null default false;
