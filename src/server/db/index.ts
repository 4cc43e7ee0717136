export { Database, type Scope, type Sql } from './database.ts';
export { writeTemplate } from './embedded-driver.ts';
export { compareTables, createTableSql } from './entity-schema.ts';
export type { Log } from './log.ts';
export { migrate } from './migrate.ts';
export { type DatabaseOptions, openDatabase } from './open-database.ts';
export { type Repository, type RepositoryOptions, repositoryOf, type TreeOptions, type TreeRepository, treeRepositoryOf, type Writing } from './repository.ts';
export { type TableOf, tableOf } from './table.ts';
