-- Limits of payments and receipts: a row per tenant instead of parameters of the deployment. Empty for no limit.
create table payment_limits (
  like base_row including all,
  per_payment bigint,
  per_payee_day bigint,
  per_run bigint,
  per_day bigint,
  approval_above bigint not null,
  receipt_approval_above bigint,
  low_funds bigint not null,
  publishing_beyond_funds text not null
);

call own_by_tenant('payment_limits');
create unique index payment_limits_once on payment_limits (tenant_id) where is_deleted = 0;

do $$
begin
  if to_regclass('param') is null then
    return;
  end if;
  create temporary table kept on commit drop as
    select param_key, param_value from param where is_deleted = 0 and param_key like 'payment.%' and (param_key = 'payment.publishingBeyondFunds' or param_value ~ '^\s*\d{1,15}\s*$');
  if exists (select from kept) then
    insert into payment_limits (tenant_id, per_payment, per_day, approval_above, low_funds, publishing_beyond_funds)
    select tenant_id, nullif(coalesce((select param_value::bigint from kept where param_key = 'payment.singleLimit'), 200000), 0),
      nullif(coalesce((select param_value::bigint from kept where param_key = 'payment.dailyLimit'), 10000000), 0),
      coalesce((select param_value::bigint from kept where param_key = 'payment.approvalAbove'), 100000),
      coalesce((select param_value::bigint from kept where param_key = 'payment.lowFunds'), 0),
      coalesce((select trim(param_value) from kept where param_key = 'payment.publishingBeyondFunds'), 'refuse')
    from (select tenant_id from user_account union select tenant_id from advertiser) tenants;
    update param set is_deleted = 1 where is_deleted = 0
      and param_key in ('payment.singleLimit', 'payment.dailyLimit', 'payment.approvalAbove', 'payment.lowFunds', 'payment.publishingBeyondFunds');
  end if;
end $$;

-- Receipts, refunds and their reversals: those above the limit wait for approval before they enter the ledger.
create table receipt (
  like base_row including all,
  receipt_no varchar(32) not null default 'R' || next_id(),
  advertiser_id bigint not null references advertiser (id),
  kind integer not null check (kind in (1, 2, 7)),
  amount bigint not null check (amount <> 0),
  state integer not null check (state between 0 and 3),
  remark varchar(255),
  voucher jsonb,
  entry_id bigint,
  reverses bigint,
  requester_name varchar(64) not null default '',
  approved_by bigint,
  approver_name varchar(64),
  reason varchar(255),
  check ((entry_id is null) = (state in (0, 2)))
);

call own_by_tenant('receipt');
create unique index receipt_no on receipt (tenant_id, receipt_no);
create unique index receipt_of_entry on receipt (entry_id);
create unique index receipt_reversal on receipt (reverses) where state in (0, 1);
create index receipt_of_advertiser on receipt (tenant_id, advertiser_id, id);
create index receipt_awaiting on receipt (tenant_id, create_time) where state = 0;

insert into receipt (tenant_id, advertiser_id, kind, amount, state, remark, voucher, entry_id, reverses, requester_name, create_user, create_time)
select p.tenant_id, p.advertiser_id, p.kind, p.amount, case when r.id is null then 1 else 3 end, p.remark, p.voucher, p.entry_id, p.reverses,
  coalesce(u.real_name, ''), p.create_user, p.create_time
from ledger_posting p
left join ledger_posting r on r.reverses = p.entry_id and r.account = 1
left join user_account u on u.id = p.create_user
where p.account = 1 and p.kind in (1, 2, 7);

-- Receipts are recorded with a permission of their page; users who had the former one get it with the page.
update menu set is_deleted = 1 where code = 'ledger_add' and is_deleted = 0;
