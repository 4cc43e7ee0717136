-- Who has read personal data in the clear, or has exported or erased a person. Rows are sealed.

create table personal_access (
  like tenant_row including all,
  user_id bigint,
  user_name varchar(64) not null,
  action text not null,
  entity varchar(64) not null,
  record_id bigint,
  fields varchar(500) not null,
  rows integer not null,
  request_id varchar(64)
);

call own_by_tenant('personal_access');
create index personal_access_by_time on personal_access (create_time);
create index personal_access_by_record on personal_access (tenant_id, record_id);
