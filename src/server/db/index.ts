export { Database } from './database.ts';
export { writeTemplate } from './embedded-driver.ts';
export { compareTables, createTableSql } from './entity-schema.ts';
export { migrate } from './migrate.ts';
export { openDatabase } from './open-database.ts';
export { type Repository, repositoryOf, type TreeRepository, treeRepositoryOf } from './repository.ts';
export { tableOf } from './table.ts';
