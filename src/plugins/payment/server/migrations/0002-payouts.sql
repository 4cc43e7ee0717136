create table payout (
  like base_row including all,
  pay_no varchar(32) not null default 'P' || next_id(),
  batch_no varchar(32) not null,
  submission_id bigint not null references task_submission (id),
  task_id bigint not null,
  task_title varchar(128) not null,
  advertiser_id bigint not null references advertiser (id),
  user_id bigint not null,
  nick_name varchar(64) not null,
  openid varchar(255) not null,
  amount bigint not null check (amount > 0),
  state integer not null check (state between 0 and 4),
  gateway varchar(32) not null default '',
  provider_no varchar(64),
  provider_state varchar(64),
  package_info text,
  tries integer not null default 0,
  sendings integer not null default 0,
  sent_time timestamptz,
  next_try timestamptz not null default now(),
  note varchar(255),
  requester_name varchar(64) not null,
  approved_by bigint,
  approver_name varchar(64),
  reason varchar(255),
  paid_time timestamptz(0)
);

call own_by_tenant('payout');
call sort_by('payout', 'paid_time');
create unique index payout_bill on payout (pay_no);
-- A submission has at most one payout that may still come, or has come.
create unique index payout_once on payout (submission_id) where state in (0, 1, 2);
create index payout_of_submission on payout (submission_id);
create index payout_due on payout (next_try) where state = 1;
create index payout_of_day on payout (tenant_id, create_time, create_user) where state in (0, 1, 2);

-- Its number and what it is for stay as they were.
create function keep_payout() returns trigger language plpgsql as $$
begin
  if (new.pay_no, new.submission_id, new.amount, new.openid, new.advertiser_id) is distinct from (old.pay_no, old.submission_id, old.amount, old.openid, old.advertiser_id)
    or old.state in (2, 3, 4) and new.state <> old.state then
    raise exception 'payout % is not changed', old.pay_no;
  end if;
  return new;
end $$;

create trigger keep_payout before update on payout for each row execute function keep_payout();

-- What the built-in sandbox knows of bills: it pays everything and moves no money.
create table sandbox_bill (
  pay_no varchar(32) primary key,
  tenant_id varchar(12) not null,
  amount bigint not null,
  time timestamptz not null default now()
);

call own_by_tenant('sandbox_bill');
