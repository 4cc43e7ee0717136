import { sql } from 'drizzle-orm';
import { crudRoutes, defineServerPlugin, repositoryOf } from '#server';
import { SocialApp, socialApp } from '../contract.ts';
import { socialAppMenu } from '../menus.ts';
import { methodsOf } from './methods.ts';

/** Sign-in at identity providers: social accounts, mini-programs and single sign-on, with the identities that users link to their accounts. */
export default defineServerPlugin({
  id: 'social-sign-in',
  title: ['第三方登录', 'Sign-in providers'],
  optionalDependencies: ['account'],
  menus: [socialAppMenu],

  setup(context) {
    const { db } = context;
    const { methods, routes } = methodsOf(context);

    return {
      signInMethods: methods,
      routes: [...routes, crudRoutes(socialApp, repositoryOf(db, SocialApp, { unique: [{ fields: ['source'] }] }))],
      tasks: [
        {
          everySeconds: 3600,
          run: () =>
            db.asPlatform('deletes expired OAuth states', async () => void (await db.sql.execute(sql`delete from used_state where expires_at < now()`))),
        },
      ],
    };
  },
});
