create table withholding_rule (
  like base_row including all,
  name varchar(64) not null,
  valid_from date not null,
  basis integer not null check (basis between 1 and 3),
  allowance_rate double precision not null default 0 check (allowance_rate between 0 and 100),
  allowance_fixed bigint not null default 0 check (allowance_fixed >= 0),
  allowance_method integer not null default 1 check (allowance_method between 1 and 2),
  bands varchar(2000) not null,
  source varchar(500) not null
);

call own_by_tenant('withholding_rule');
call sort_by('withholding_rule', 'valid_from');
create unique index withholding_rule_day on withholding_rule (tenant_id, valid_from) where is_deleted = 0;
