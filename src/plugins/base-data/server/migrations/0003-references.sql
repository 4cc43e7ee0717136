-- Advertisers of all tenants are counted before a region is deleted.
create index advertiser_of_region on advertiser (city_code);
create index city_of_region on city (code);
