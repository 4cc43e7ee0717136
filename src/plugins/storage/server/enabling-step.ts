import { sql } from 'drizzle-orm';
import { type FigureSource, type ServerContext, setupStep } from '#server';
import { Oss } from '../contract.ts';
import { ossMenu } from '../menus.ts';

/** Step of the setup checklist that is done once a configuration is enabled. */
export const enablingStep = ({ db }: Pick<ServerContext, 'db'>): FigureSource =>
  setupStep(db, {
    id: 'storage',
    code: 'oss_enable',
    sort: 30,
    entities: [Oss.name],
    title: ['启用对象存储', 'Enable object storage'],
    note: ['未启用时，文件保存在服务器的磁盘上。', 'Until then, files are stored on the server disk.'],
    leadsTo: { menu: ossMenu.code },
    isDone: () => sql`exists (select from oss where status = 2 and is_deleted = 0)`,
  });
