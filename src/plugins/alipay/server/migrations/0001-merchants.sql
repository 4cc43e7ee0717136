-- The private key is sealed.
create table alipay_merchant (
  like base_row including all,
  name varchar(64) not null,
  app_id varchar(32) not null,
  private_key text not null,
  public_key text not null,
  min_amount bigint,
  max_amount bigint,
  fee_rate integer,
  fee_fixed bigint,
  priority integer,
  remark varchar(255)
);

call own_by_tenant('alipay_merchant');
create unique index alipay_merchant_enabled_once on alipay_merchant (tenant_id) where is_deleted = 0 and status = 2;
create index alipay_merchant_by_app on alipay_merchant (app_id) where is_deleted = 0;
call provides_payment('alipay_merchant');
