export { Database } from './database.ts';
export { compareTables, createTableSql } from './entity-schema.ts';
export { foundationMigrations, migrate } from './migrate.ts';
export { openDatabase, writeTemplate } from './open-database.ts';
export { type Repository, repositoryOf, type TreeRepository, treeRepositoryOf } from './repository.ts';
export { tableOf } from './table.ts';
