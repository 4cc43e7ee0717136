import { sql } from 'drizzle-orm';
import { defineServerPlugin, Passwords, repositoryOf, route, SignInPort, signInRoute } from '#server';
import { sendSmsCode } from '../code-contract.ts';
import { SmsOutboxMessage, smsOutbox } from '../contract.ts';
import { smsOutboxMenu } from '../menus.ts';
import { personalData } from './personal-data.ts';
import { SmsCodes, SmsSignIn } from './sms-sign-in.ts';

/** Sign-in by text message, and the messages that were stored instead of sent. */
export default defineServerPlugin({
  id: 'sms-sign-in',
  title: ['短信登录', 'SMS sign-in'],
  personalData,
  menus: [smsOutboxMenu],

  setup({ get, secretKeys, ...context }) {
    const { db, sms } = context;
    const smsSignIn = new SmsSignIn({ ...context, passwords: get(Passwords), signIn: get(SignInPort), codes: new SmsCodes(db, secretKeys('codes')) });
    const outbox = repositoryOf(db, SmsOutboxMessage);

    return {
      signInMethods: [
        {
          id: 'sms',
          offers: (tenantId) => sms.isOffered(tenantId),
          grants: { sms_code: async ({ input, origin }) => smsSignIn.signIn(input, origin) },
        },
      ],
      routes: [
        signInRoute(sendSmsCode, ({ input, origin }) => smsSignIn.send(input, origin), { aliases: ['/api/blade-auth/oauth/sms/send-validate'] }),
        route(smsOutbox.list, ({ input }) => outbox.page(input)),
      ],
      tasks: [
        {
          everySeconds: 3600,
          run: () =>
            db.asPlatform(
              'deletes expired verification codes of all tenants',
              async () => void (await db.sql.execute(sql`delete from sms_code where expires_at < now()`)),
            ),
        },
      ],
    };
  },
});
