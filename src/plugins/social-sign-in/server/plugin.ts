import { sql } from 'drizzle-orm';
import { defineServerPlugin, repositoryOf, type ServerContext, type SignInRequest, type SignInResult } from '#server';
import { miniProgramSource } from '#shared/social';
import { SocialApp, socialApp } from '../contract.ts';
import { socialAppMenu } from '../menus.ts';
import { Bindings } from './bindings.ts';
import { MiniProgramSignIn } from './mini-program.ts';
import { OAuthStateStore } from './oauth-state-store.ts';
import { sourceNamed } from './providers.ts';
import { serveBindings } from './routes.ts';
import { SingleSignOn, ssoSource } from './single-sign-on.ts';
import { SocialApps } from './social-apps.ts';
import { SocialClient } from './social-client.ts';
import { SocialSignIn } from './social-sign-in.ts';

/** Sign-in at identity providers: social accounts, mini-programs and single sign-on, with the identities that users link to their accounts. */
export default defineServerPlugin({
  id: 'social-sign-in',
  title: ['第三方登录', 'Sign-in providers'],
  menus: [socialAppMenu],

  routes({ serveCrud, every, ...context }) {
    const { db } = context;
    serveMethods(context);
    serveCrud(socialApp, repositoryOf(db, SocialApp, { unique: [{ fields: ['source'] }] }));
    every(3600, async () => {
      await db.asPlatform('deletes expired OAuth states', () => db.sql.execute(sql`delete from used_state where expires_at < now()`));
    });
  },
});

function serveMethods({ db, signIn, secretKey }: Pick<ServerContext, 'db' | 'signIn' | 'secretKey'>): void {
  const { identities, configuration } = signIn;
  const { publicUrl, socialEndpoints } = configuration;
  const apps = new SocialApps(db);
  const states = new OAuthStateStore(db, secretKey('state'), publicUrl?.protocol === 'https:');
  const miniProgram = new MiniProgramSignIn({ apps, identities, address: socialEndpoints[miniProgramSource]?.token });
  const social = new SocialSignIn({ apps, client: new SocialClient(socialEndpoints), identities, states, publicUrl });
  const sso = new SingleSignOn({ db, identities, states, publicUrl, configuration: configuration.sso });

  const bySocial = ({ input, origin }: SignInRequest): Promise<SignInResult> => {
    const { source: named = '', code = '', state = '', tenantId: sent = '' } = input;
    if (MiniProgramSignIn.isMeant(named)) return miniProgram.finish(sent, code);
    const source = sourceNamed(named);
    return source ? social.finish(source, { code, state }, { holder: '', cookies: origin.header('cookie') }) : bySso({ input, origin });
  };
  /** Signs in with single sign-on; BladeX-compatible clients send the state as the tenant. */
  const bySso = ({ input: { code = '', state, tenantId: sent = '', iss = '' }, origin }: SignInRequest): Promise<SignInResult> =>
    sso.finish({ code, state: state || sent, iss }, { holder: '', cookies: origin.header('cookie') });

  signIn.register({ id: 'social', offered: (tenantId) => social.offered(tenantId), grants: { social: bySocial } });
  signIn.register({ id: ssoSource, offered: async (tenantId) => sso.isOffered(tenantId), grants: { authorization_code: bySso } });
  serveBindings(signIn, new Bindings({ db, signIn, social, sso }));
}
