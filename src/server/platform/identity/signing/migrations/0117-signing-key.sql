-- Key pairs that sign access tokens. The private half is encrypted, and the public one is computed from it: a row that another program inserts signs and verifies nothing.
create table signing_key (
  -- Thumbprint of the public half (RFC 7638).
  kid varchar(43) primary key,
  private_key text not null,
  create_time timestamptz not null default clock_timestamp(),
  -- Time from which it signs until a later key does; null for the next key, which is only published.
  signs_from timestamptz,
  -- Time by which all tokens that it has signed have expired; null before the first one.
  needed_until timestamptz
);

call secure_rows('signing_key');
