export { Database } from './database/database.ts';
export { openDatabase, writeTemplate } from './database/open-database.ts';
export { type Repository, repositoryOf, type TreeRepository, treeRepositoryOf } from './repository/repository.ts';
export { compareTables, createTableSql } from './schema/entity-schema.ts';
export { applyMigrations, foundationMigrations, type Migration, migrate, migrationsOf } from './schema/migrate.ts';
export { tableOf } from './schema/table.ts';
