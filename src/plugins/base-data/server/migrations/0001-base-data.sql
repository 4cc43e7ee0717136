-- Whether a row of this company is for somebody of these departments: the company is one of them or stands below one; without any, what is nobody's.
create function is_of_company(company bigint, departments bigint[]) returns boolean language sql stable as $$
  select case
    when company is null then cardinality(departments) = 0
    else exists (
      select from dept d
      where d.id = company and (d.id = any (departments) or string_to_array(d.ancestors, ',')::bigint[] && departments))
  end
$$;

create table advertiser (
  like base_row including all,
  name varchar(128) not null,
  short_name varchar(64),
  industry varchar(64),
  license_no varchar(64),
  license_img varchar(1000),
  contact_name varchar(64) not null,
  contact_phone varchar(11) not null,
  city_code varchar(12),
  province_code varchar(12) generated always as (left(city_code, 2)) stored,
  address varchar(255),
  balance bigint not null default 0,
  credit_limit bigint not null default 0,
  remark varchar(255),
  departid bigint generated always as (create_dept) stored,
  companyid bigint generated always as (create_dept) stored,
  created_at timestamptz(0) not null generated always as (create_time) stored,
  updated_at timestamptz(0) generated always as (update_time) stored
);

call own_by_tenant('advertiser');
call sort_by('advertiser', 'name');
create unique index advertiser_once on advertiser (tenant_id, name) where is_deleted = 0;
create index advertiser_of_company on advertiser (tenant_id, companyid) where is_deleted = 0;

create table platform (
  like base_row including all,
  name varchar(64) not null,
  code varchar(64) not null,
  icon varchar(1000),
  home_url varchar(1000),
  link_pattern text,
  sort integer not null default 1,
  remark varchar(255),
  created_at timestamptz(0) not null generated always as (create_time) stored,
  updated_at timestamptz(0) generated always as (update_time) stored
);

call own_by_tenant('platform');
call sort_by('platform', 'name');
call sort_by('platform', 'sort');
create unique index platform_once on platform (tenant_id, code) where is_deleted = 0;

create table category (
  like base_row including all,
  parent_id bigint not null default 0,
  pid bigint not null generated always as (parent_id) stored,
  name varchar(64) not null,
  icon varchar(1000),
  sort integer not null default 1,
  remark varchar(255),
  created_at timestamptz(0) not null generated always as (create_time) stored,
  updated_at timestamptz(0) generated always as (update_time) stored
);

call own_by_tenant('category');
create unique index category_once on category (tenant_id, parent_id, name) where is_deleted = 0;
create index category_below on category (tenant_id, parent_id, sort, id) where is_deleted = 0;

create table task_grade (
  like base_row including all,
  name varchar(64) not null,
  level integer not null,
  min_price bigint not null default 0,
  max_price bigint not null default 0,
  min_score integer not null default 0,
  max_daily integer not null default 0,
  sort integer not null default 1,
  remark varchar(255),
  created_at timestamptz(0) not null generated always as (create_time) stored,
  updated_at timestamptz(0) generated always as (update_time) stored
);

call own_by_tenant('task_grade');
call sort_by('task_grade', 'level');
call sort_by('task_grade', 'sort');
create unique index task_grade_once on task_grade (tenant_id, level) where is_deleted = 0;

create table city (
  like base_row including all,
  code varchar(12) not null,
  name varchar(64),
  province varchar(64) not null,
  tier integer not null default 3,
  sort integer not null default 1,
  created_at timestamptz(0) not null generated always as (create_time) stored,
  updated_at timestamptz(0) generated always as (update_time) stored
);

call own_by_tenant('city');
call sort_by('city', 'name');
call sort_by('city', 'sort');
create unique index city_once on city (tenant_id, code) where is_deleted = 0;

-- What follows from where a city lies is kept here.
create function place_city() returns trigger language plpgsql as $$
begin
  select province_name, coalesce(new.name, name) into strict new.province, new.name from region where code = new.code and is_deleted = 0;
  return new;
end $$;

create trigger place_city before insert or update of code, name on city for each row execute function place_city();
