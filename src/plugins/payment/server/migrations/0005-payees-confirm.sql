-- The payee has to let the money in.
alter table payout add column awaits_payee boolean not null default false;

-- What kind of provider it was sent to.
alter table payout add column channel integer generated always as (case when gateway = 'sandbox' then 1 when gateway like 'wechat:%' then 2 end) stored;
