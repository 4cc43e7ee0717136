-- What an entry hands its page by the address: `status=1&type=2`.
alter table menu add column query varchar(512);
