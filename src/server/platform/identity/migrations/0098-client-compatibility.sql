-- The dialect of the API in which calls of a client are answered: none (our own) or bladex.
alter table client add column compatibility text not null default 'none';
