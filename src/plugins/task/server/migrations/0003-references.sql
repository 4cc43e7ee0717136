-- Rows that refer to base data are counted before base data is deleted.
create index task_of_advertiser on task (tenant_id, advertiser_id);
create index task_of_platform on task (tenant_id, platform_id);
create index task_of_category on task (tenant_id, category_id);
create index task_of_grade on task (tenant_id, grade_id);
create index task_of_city on task using gin (city_ids);
create index task_of_resource on task using gin (resource_ids);
