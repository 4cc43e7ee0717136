import apiLog from './audit/migrations/0001-api-log.sql';
import identity from './auth/migrations/0001-identity.sql';
import sessions from './auth/migrations/0002-sessions.sql';
import menu from './permission/migrations/0001-menu.sql';

/** The kernel's own tables. Applied in the order of the names, once each; a file that has been released is never edited. */
export const kernelMigrations: Readonly<Record<string, string>> = {
  '0001-identity.sql': identity,
  '0002-sessions.sql': sessions,
  '0003-menu.sql': menu,
  '0004-api-log.sql': apiLog,
};
