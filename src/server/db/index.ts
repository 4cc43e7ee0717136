export { Database, type Scope, type Sql } from './database.ts';
export { writeTemplate } from './embedded-driver.ts';
export type { Log } from './log.ts';
export { migrate } from './migrate.ts';
export { type DatabaseOptions, openDatabase } from './open-database.ts';
