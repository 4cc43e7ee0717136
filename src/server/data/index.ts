export { Database } from './database/database.ts';
export { openDatabase, writeTemplate } from './database/open-database.ts';
export { type Repository, repositoryOf, type TreeRepository, treeRepositoryOf } from './repository/repository.ts';
export { compareTables, createTableSql } from './schema/entity-schema.ts';
export { foundationMigrations, migrate } from './schema/migrate.ts';
export { tableOf } from './schema/table.ts';
