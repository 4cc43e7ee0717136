-- Whose identity it was until they were deleted: theirs again when they are brought back, unless it has become somebody's since.
alter table user_oauth add column freed_from bigint;

create index user_oauth_freed on user_oauth (tenant_id, freed_from) where freed_from is not null;
