import { sql } from 'drizzle-orm';
import { type FigureSource, type ServerContext, setupStep } from '#server';
import { UserAccount } from '../contract.ts';
import { userMenu } from '../menus.ts';

/** Returns the step of the setup checklist that leads to the users. */
export const colleaguesStep = ({ db }: Pick<ServerContext, 'db'>): FigureSource =>
  setupStep(db, {
    id: 'colleagues',
    code: 'user_add',
    sort: 20,
    entities: [UserAccount.name],
    title: ['添加同事', 'Add your colleagues'],
    note: ['每人使用自己的账号登录。', 'Each person signs in with their own account.'],
    leadsTo: { menu: userMenu.code },
    isDone: () => sql`(select count(*) from (select from user_account where is_deleted = 0 limit 2) accounts) > 1`,
  });
