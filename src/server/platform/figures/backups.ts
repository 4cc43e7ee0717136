import { sql } from 'drizzle-orm';
import type { SetupStep } from '#shared/figures';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { FigureSource } from './figures.ts';

/** Age after which a backup no longer counts. */
const maxAgeDays = 7;

/** Records that a backup has been made and returns its time, as `YYYY-MM-DD HH:MM:SS` in the deployment's time zone. */
export async function recordBackup(db: Database): Promise<string> {
  return db.asPlatform('backups contain the whole database', async () => {
    const [row] = await queryRows<{ time: string }>(db, sql`insert into backup default values returning to_char(recorded_at, 'YYYY-MM-DD HH24:MI:SS') as time`);
    return row?.time ?? '';
  });
}

interface BackupStepOptions {
  readonly db: Database;
  /** Permission code required to see the step. */
  readonly code: string;
  readonly leadsTo: SetupStep['leadsTo'];
}

/** Creates a row of the setup checklist that is done while a recorded backup is at most seven days old. */
export const backupStep = ({ db, code, leadsTo }: BackupStepOptions): FigureSource => ({
  id: 'setup:backup',
  code,
  sort: 25,
  entities: [],
  async read() {
    const [row] = await db.asPlatform('backups contain the whole database', () =>
      queryRows<{ isDone: boolean }>(db, sql`select exists (select from backup where recorded_at > now() - make_interval(days => ${maxAgeDays})) as "isDone"`),
    );
    return {
      setup: [
        {
          id: 'backup',
          title: ['备份数据', 'Back up your data'],
          note: [
            '在服务器上运行 npm run backup -- 备份目录 --verify；7 天内有效。',
            'Run npm run backup -- FOLDER --verify on the server. It is valid for 7 days.',
          ],
          isDone: row?.isDone ?? false,
          leadsTo,
        },
      ],
    };
  },
});
