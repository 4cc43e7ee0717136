create table region (
  like base_row including all,
  parent_id bigint not null default 0,
  name varchar(64) not null,
  code varchar(12) not null,
  region_level integer not null,
  level integer not null generated always as (region_level) stored,
  sort integer not null,
  remark varchar(255),
  parent_code varchar(12) not null,
  ancestors varchar(255) not null,
  province_code varchar(12),
  province_name varchar(64),
  city_code varchar(12),
  city_name varchar(64),
  district_code varchar(12),
  district_name varchar(64),
  town_code varchar(12),
  town_name varchar(64),
  village_code varchar(12),
  village_name varchar(64)
);

call own_by_platform('region');

create unique index region_once on region (code) where is_deleted = 0;
create index region_below on region (parent_id, sort, code) where is_deleted = 0;
create index region_below_code on region (parent_code, sort, code) where is_deleted = 0;

-- What follows from where a region lies is kept here; the first rows bring it with them.
create function place_region() returns trigger language plpgsql as $$
declare
  above region;
begin
  select * into strict above from region where id = new.parent_id and is_deleted = 0;
  new.region_level := above.region_level + 1;
  new.parent_code := above.code;
  new.ancestors := case when above.ancestors = '0' then above.code else above.ancestors || ',' || above.code end;
  new.province_code := case new.region_level when 1 then new.code else above.province_code end;
  new.province_name := case new.region_level when 1 then new.name else above.province_name end;
  new.city_code := case new.region_level when 2 then new.code else above.city_code end;
  new.city_name := case new.region_level when 2 then new.name else above.city_name end;
  new.district_code := case new.region_level when 3 then new.code else above.district_code end;
  new.district_name := case new.region_level when 3 then new.name else above.district_name end;
  new.town_code := case new.region_level when 4 then new.code else above.town_code end;
  new.town_name := case new.region_level when 4 then new.name else above.town_name end;
  new.village_code := case new.region_level when 5 then new.code end;
  new.village_name := case new.region_level when 5 then new.name end;
  return new;
end $$;

create trigger place_region before insert on region for each row when (new.parent_code is null) execute function place_region();
