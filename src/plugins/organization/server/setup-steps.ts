import { sql } from 'drizzle-orm';
import { currentActor, type FigureSource, type ServerContext, setupStep } from '#server';
import { UserAccount } from '../contract.ts';
import { userMenu } from '../menus.ts';

const code = 'user_add';

/** Returns the steps of the setup checklist that concern accounts. */
export const setupSteps = ({ db }: Pick<ServerContext, 'db'>): FigureSource[] => [
  setupStep(db, {
    id: 'account',
    code,
    sort: 10,
    entities: [UserAccount.name],
    isPersonal: true,
    title: ['保护您的账号', 'Protect your account'],
    note: ['绑定手机或启用二次验证。', 'Add a phone number or turn on two-step verification.'],
    leadsTo: { path: '/info/index' },
    isDone: () => sql`exists (
      select from user_account u where u.id = ${currentActor()?.userId ?? null}::bigint
        and (coalesce(u.phone, '') <> '' or exists (select from second_factor f where f.user_id = u.id and f.confirmed_at is not null)))`,
  }),
  setupStep(db, {
    id: 'colleagues',
    code,
    sort: 20,
    entities: [UserAccount.name],
    title: ['添加同事', 'Add your colleagues'],
    note: ['每人使用自己的账号登录。', 'Each person signs in with their own account.'],
    leadsTo: { menu: userMenu.code },
    isDone: () => sql`(select count(*) from (select from user_account where is_deleted = 0 limit 2) accounts) > 1`,
  }),
];
