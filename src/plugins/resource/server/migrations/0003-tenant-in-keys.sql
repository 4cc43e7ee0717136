alter table depart_resource drop constraint depart_resource_pkey, add constraint depart_resource_pkey primary key using index depart_resource_by_id;
