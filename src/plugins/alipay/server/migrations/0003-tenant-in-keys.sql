alter table alipay_merchant drop constraint alipay_merchant_pkey, add constraint alipay_merchant_pkey primary key using index alipay_merchant_by_id;
