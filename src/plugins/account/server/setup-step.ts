import { sql } from 'drizzle-orm';
import { currentActor, type FigureSource, type ServerContext, setupStep } from '#server';
import { accountRoute } from '../menus.ts';

/** Returns the step of the setup checklist that leads to the account page. */
export const protectionStep = ({ db }: Pick<ServerContext, 'db'>): FigureSource =>
  setupStep(db, {
    id: 'account',
    code: 'user_add',
    sort: 10,
    entities: ['user_account'],
    isPersonal: true,
    title: ['保护您的账号', 'Protect your account'],
    note: ['绑定手机或启用二次验证。', 'Add a phone number or turn on two-step verification.'],
    leadsTo: { path: accountRoute.path },
    isDone: () => sql`exists (
      select from user_account u where u.id = ${currentActor()?.userId ?? null}::bigint
        and (coalesce(u.phone, '') <> '' or exists (select from second_factor f where f.user_id = u.id and f.confirmed_at is not null)))`,
  });
