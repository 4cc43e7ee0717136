-- Whoever signs in by text message is found by their number, and so is whoever an operator looks for by the whole of it.
create index user_account_by_phone on user_account (tenant_id, phone) where is_deleted = 0;
