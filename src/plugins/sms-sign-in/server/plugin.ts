import { sql } from 'drizzle-orm';
import { defineServerPlugin, repositoryOf } from '#server';
import { sendSmsCode } from '../code-contract.ts';
import { SmsOutboxMessage, smsOutbox } from '../contract.ts';
import { smsOutboxMenu } from '../menus.ts';
import { SmsCodes } from './sms-codes.ts';
import { SmsSignIn } from './sms-sign-in.ts';

/** Sign-in by text message, and the messages that were stored instead of sent. */
export default defineServerPlugin({
  id: 'sms-sign-in',
  title: ['短信登录', 'SMS sign-in'],
  menus: [smsOutboxMenu],

  routes({ serve, signIn, secretKey, every, ...services }) {
    const { db, sms } = services;
    const smsSignIn = new SmsSignIn({ ...services, signIn, codes: new SmsCodes(db, secretKey('codes')) });
    const outbox = repositoryOf(db, SmsOutboxMessage);

    signIn.register({
      id: 'sms',
      offered: (tenantId) => sms.isOffered(tenantId),
      grants: { sms_code: async ({ input, origin }) => smsSignIn.enter(input, origin) },
    });
    signIn.serve(sendSmsCode, ({ input, origin }) => smsSignIn.send(input, origin), { aliases: ['/api/blade-auth/oauth/sms/send-validate'] });
    serve(smsOutbox.list, ({ input }) => outbox.page(input));

    every(3600, async () => {
      await db.asPlatform('deletes expired verification codes of all tenants', () => db.sql.execute(sql`delete from sms_code where expires_at < now()`));
    });
  },
});
