-- A city that is a province is listed below it under a heading; it is called what the province is called.
create or replace function place_city() returns trigger language plpgsql as $$
begin
  select province_name, coalesce(new.name, case when name = '市辖区' then province_name else name end) into strict new.province, new.name
  from region where code = new.code and is_deleted = 0;
  return new;
end $$;

update city set name = province where name = '市辖区';
