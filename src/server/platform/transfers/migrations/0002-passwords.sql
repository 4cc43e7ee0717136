-- Passwords that an import has given to the accounts it made, sealed; they go once they were fetched, and with the import.
create table transfer_password (
  id bigint primary key default next_id(),
  transfer_id bigint not null references transfer (id) on delete cascade,
  sealed text not null
);

call own_by_tenant('transfer_password');

create index transfer_password_by_transfer on transfer_password (transfer_id);
