-- What a merchant costs and pays. The table is older than this plugin.
alter table pay_channel add column min_amount bigint, add column max_amount bigint, add column fee_rate integer, add column fee_fixed bigint, add column priority integer;

update seeded_menu set plugin_id = 'wechat-pay' where code = 'pay_channel' or code like 'pay\_channel\_%';
