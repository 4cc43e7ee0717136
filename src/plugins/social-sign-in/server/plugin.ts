import { sql } from 'drizzle-orm';
import { crudRoutes, defineServerPlugin, repositoryOf } from '#server';
import { SocialApp, socialApp } from '../contract.ts';
import { providerGroupMenu, providerMenu, socialAppMenu } from '../menus.ts';
import { providerGauges } from './identity-providers/provider-gauges.ts';
import { methodsOf } from './methods.ts';

/** Sign-in at identity providers: social accounts, mini-programs, single sign-on, and the issuers and directories of tenants, with the identities that users link to their accounts. */
export default defineServerPlugin({
  id: 'social-sign-in',
  title: ['第三方登录', 'Sign-in providers'],
  optionalDependencies: ['account', 'organization'],
  menus: [socialAppMenu, providerMenu, providerGroupMenu],

  setup(context) {
    const { db } = context;
    const { methods, routes, departures, sweep } = methodsOf(context);

    return {
      signInMethods: methods,
      routes: [...routes, crudRoutes(socialApp, repositoryOf(db, SocialApp, { unique: [{ fields: ['source'] }] }))],
      gauges: providerGauges(context),
      tasks: [
        { everySeconds: 10, run: (signal) => departures.run(signal) },
        { everySeconds: 3600, run: sweep },
        {
          everySeconds: 3600,
          run: () =>
            db.asPlatform('deletes expired OAuth states', async () => void (await db.sql.execute(sql`delete from used_state where expires_at < now()`))),
        },
      ],
      stop: () => departures.settle(),
    };
  },
});
