import earlier from '../earlier-migrations.json' with { type: 'json' };
import { offlineStatements } from '../online-migrations.ts';
import type { SourceRule } from './rule.ts';

/** Rule about migrations, which are applied while servers of the previous version work. */
export const migrationRules: readonly SourceRule[] = [
  {
    id: 'online-migration',
    async find(files) {
      const migrations = files.filter(({ path }) => path.endsWith('.sql') && !earlier.includes(path));
      const found = await Promise.all(
        migrations.map(async (file) => {
          try {
            return (await offlineStatements(file)).map(({ line, remedy }) => ({ path: file.path, line, reason: remedy }));
          } catch (error) {
            return [{ path: file.path, line: 1, reason: `PostgreSQL cannot read it: ${(error as Error).message}` }];
          }
        }),
      );
      return found.flat();
    },
  },
];
