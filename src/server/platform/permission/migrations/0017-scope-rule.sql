-- Rows of an entity that a role shows, or that one person sees whatever their roles show; granted by each tenant.

create table scope_rule (
  tenant_id varchar(12) not null,
  role_id bigint references role (id) on delete cascade,
  user_id bigint references user_account (id) on delete cascade,
  entity varchar(64) not null,
  -- 1 all, 2 own, 3 own department, 4 department and below, 5 custom
  scope_type integer not null,
  condition jsonb,
  -- Rows of the person who granted it, beyond which it does not reach; null for a person who sees all rows.
  bound jsonb,
  check ((role_id is null) <> (user_id is null))
);

call own_by_tenant('scope_rule');

create unique index scope_rule_of_role on scope_rule (role_id, entity) where role_id is not null;
create unique index scope_rule_of_user on scope_rule (user_id, entity) where user_id is not null;
