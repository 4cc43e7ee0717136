export { Database } from './database/database.ts';
export { openDatabase, writeTemplate } from './open-database.ts';
export { type Repository, repositoryOf, type TreeRepository, treeRepositoryOf } from './repository/repository.ts';
export { compareTables, createTableSql, type TableDifference, tableDifferences } from './schema/entity-schema.ts';
export { applyMigrations, foundationMigrations, type Migration, MigrationError, migrate, migrationsOf, unappliedMigrations } from './schema/migrate.ts';
export { tableOf } from './schema/table.ts';
