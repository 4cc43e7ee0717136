drop index concurrently if exists receipt_of_entry;
drop index concurrently if exists receipt_reversal;
drop index concurrently if exists advertiser_of_payments;
