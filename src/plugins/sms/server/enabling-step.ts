import { sql } from 'drizzle-orm';
import { type FigureSource, type ServerContext, setupStep } from '#server';
import { Sms } from '../contract.ts';
import { smsMenu } from '../menus.ts';

/** Step of the setup checklist that is done once a configuration is enabled. */
export const enablingStep = ({ db }: Pick<ServerContext, 'db'>): FigureSource =>
  setupStep(db, {
    id: 'sms',
    code: 'sms_enable',
    sort: 40,
    entities: [Sms.name],
    title: ['启用短信渠道', 'Enable a text message provider'],
    note: ['用于发送短信登录验证码。', 'Used to send sign-in codes by text message.'],
    leadsTo: { menu: smsMenu.code },
    isDone: () => sql`exists (select from sms where status = 2 and is_deleted = 0)`,
  });
