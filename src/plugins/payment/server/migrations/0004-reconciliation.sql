-- A tenant's day, compared with what its providers say.
create table payment_reconciliation (
  like base_row including all,
  day date not null,
  state integer not null default 0 check (state between 0 and 3),
  our_count integer not null default 0,
  our_amount bigint not null default 0,
  their_count integer not null default 0,
  their_amount bigint not null default 0,
  differences integer not null default 0,
  open integer not null default 0,
  compared_time timestamptz(0),
  note varchar(255),
  tries integer not null default 0,
  next_try timestamptz
);

call own_by_tenant('payment_reconciliation');
call sort_by('payment_reconciliation', 'day');
create unique index payment_reconciliation_day on payment_reconciliation (tenant_id, day);
create index payment_reconciliation_due on payment_reconciliation (next_try) where next_try is not null;

-- What providers say they have paid on a day, bill by bill, less what came back.
create table payment_bill_line (
  tenant_id varchar(12) not null,
  day date not null,
  pay_no varchar(64) not null,
  provider_no varchar(64),
  amount bigint not null
);

call own_by_tenant('payment_bill_line');
create index payment_bill_line_of_day on payment_bill_line (tenant_id, day);
create index payment_bill_line_of_bill on payment_bill_line (tenant_id, pay_no, day);

create table payment_difference (
  like base_row including all,
  reconciliation_id bigint not null references payment_reconciliation (id),
  day date not null,
  kind integer not null check (kind between 1 and 4),
  pay_no varchar(64) not null,
  provider_no varchar(64),
  our_amount bigint,
  their_amount bigint,
  our_state integer,
  answer varchar(255),
  state integer not null default 0 check (state between 0 and 2),
  remark varchar(255),
  handler_name varchar(64),
  handled_time timestamptz(0)
);

call own_by_tenant('payment_difference');
create unique index payment_difference_once on payment_difference (reconciliation_id, pay_no, kind);
create index payout_sent_by on payout (tenant_id, gateway, create_time);
