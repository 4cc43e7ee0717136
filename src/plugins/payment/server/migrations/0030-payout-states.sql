-- Each state of a payout with its amount and its payee, written once by the change itself, so that later changes in the database are found.
create table payout_state (
  id bigint not null default next_id(),
  tenant_id varchar(12) not null,
  create_time timestamptz(3) not null default now(),
  payout_id bigint not null,
  pay_no varchar(32) not null,
  state integer not null,
  amount bigint not null,
  withheld bigint not null,
  submission_id bigint not null,
  advertiser_id bigint not null,
  user_id bigint not null,
  openid varchar(255) not null,
  account_kind integer not null,
  gateway varchar(32) not null,
  provider_no varchar(64),
  approved_by bigint,
  outcome integer,
  outcome_no varchar(64),
  recorded_by bigint,
  paid_time timestamptz(0),
  primary key (id, tenant_id)
);
call own_by_tenant('payout_state');
revoke update, delete on payout_state from marquee_tenant;
drop index payout_state_tenant_id_idx;
create index payout_state_of_payout on payout_state (payout_id, id);

create function add_payout_states() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into payout_state (tenant_id, payout_id, pay_no, state, amount, withheld, submission_id, advertiser_id, user_id, openid, account_kind, gateway, provider_no,
      approved_by, outcome, outcome_no, recorded_by, paid_time)
    select tenant_id, id, pay_no, state, amount, withheld, submission_id, advertiser_id, user_id, openid, account_kind, gateway, provider_no, approved_by, outcome,
      outcome_no, recorded_by, paid_time
    from changed order by id;
  else
    insert into payout_state (tenant_id, payout_id, pay_no, state, amount, withheld, submission_id, advertiser_id, user_id, openid, account_kind, gateway, provider_no,
      approved_by, outcome, outcome_no, recorded_by, paid_time)
    select n.tenant_id, n.id, n.pay_no, n.state, n.amount, n.withheld, n.submission_id, n.advertiser_id, n.user_id, n.openid, n.account_kind, n.gateway, n.provider_no,
      n.approved_by, n.outcome, n.outcome_no, n.recorded_by, n.paid_time
    from changed n join was o on o.id = n.id and o.tenant_id = n.tenant_id
    where (n.pay_no, n.state, n.amount, n.withheld, n.submission_id, n.advertiser_id, n.user_id, n.openid, n.account_kind, n.gateway, n.provider_no, n.approved_by,
        n.outcome, n.outcome_no, n.recorded_by, n.paid_time)
      is distinct from (o.pay_no, o.state, o.amount, o.withheld, o.submission_id, o.advertiser_id, o.user_id, o.openid, o.account_kind, o.gateway, o.provider_no,
        o.approved_by, o.outcome, o.outcome_no, o.recorded_by, o.paid_time)
    order by n.id;
  end if;
  return null;
end $$;

create trigger add_payout_states after insert on payout referencing new table as changed for each statement execute function add_payout_states();
create trigger change_payout_states after update on payout referencing old table as was new table as changed for each statement execute function add_payout_states();
