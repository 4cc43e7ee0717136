-- The first tables refer to an advertiser by its id alone; a later file adds the tenant and drops this index.
create unique index concurrently if not exists advertiser_of_payments on advertiser (id);
