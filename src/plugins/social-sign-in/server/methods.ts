import {
  ApiError,
  type Identities,
  type PluginRoute,
  platformTenant,
  type ServerContext,
  type SignInMethod,
  SignInPort,
  type SignInRequest,
  type SignInResult,
  type StoredIdentity,
} from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { miniProgramSource } from '#shared/social';
import { Bindings, bindingRoutes } from './bindings.ts';
import type { Departures } from './identity-providers/departures.ts';
import { identityProviders } from './identity-providers/identity-providers.ts';
import { isProviderSource } from './identity-providers/oidc-sign-in.ts';
import { OAuthHttpClient } from './oauth-http-client.ts';
import { OAuthStateStore } from './oauth-state-store.ts';
import { findSource } from './providers.ts';
import { SingleSignOn, ssoSource } from './single-sign-on.ts';
import { SocialApps } from './social-apps.ts';
import { SocialClient } from './social-client.ts';
import { SocialSignIn } from './social-sign-in.ts';

const publicAddress = 'https://api.weixin.qq.com/sns/jscode2session';
const tenantIdPattern = /^[\w-]{1,12}$/;
/** Error codes of WeChat when it is overloaded, or has received too many requests. */
const overloadCodes: ReadonlySet<number> = new Set([-1, 45011]);

/** Response of `code2Session`; its session key decrypts user data and is not stored. */
interface Session {
  readonly openid?: string;
  readonly unionid?: string;
  readonly errcode?: number;
}

/** Dependencies of the mini-program sign-in. */
interface MiniProgramDeps {
  readonly apps: SocialApps;
  readonly identities: Identities;
  /** Address used instead of WeChat's own. */
  readonly address: string | undefined;
}

/**
 * The grant `social` of a WeChat mini-program: the code of `wx.login` identifies the user for the tenant's own mini-program. A code is valid once and for five minutes,
 * and needs no state.
 */
class MiniProgramSignIn {
  private readonly address: string;
  private readonly http: OAuthHttpClient;

  constructor(private readonly deps: MiniProgramDeps) {
    this.address = deps.address ?? publicAddress;
    this.http = new OAuthHttpClient([this.address]);
  }

  /** Tells whether a name denotes this source. */
  static isSource = (source: string): boolean => [miniProgramSource, 'wechat_mini'].includes(source.toLowerCase());

  async finish(tenant: string, code: string): Promise<{ tenantId: string; identity: StoredIdentity }> {
    const tenantId = tenant || platformTenant;
    const app = tenantIdPattern.test(tenantId) ? await this.deps.apps.find(tenantId, miniProgramSource) : undefined;
    if (!app) throw new ApiError(signInMethodProblems.notOffered);
    if (code === '') throw new ApiError(signInMethodProblems.providerRefused);
    const { openid, unionid = '' } = await this.session({ appid: app.clientId, secret: app.clientSecret, js_code: code, grant_type: 'authorization_code' });
    const identity = await this.deps.identities.upsert(
      { tenantId, source: miniProgramSource },
      { uuid: openid, unionId: unionid, name: '', avatar: '', email: '' },
    );
    return { tenantId, identity };
  }

  private async session(query: Readonly<Record<string, string>>): Promise<Session & { openid: string }> {
    const address = new URL(this.address);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const response = await this.http.fetch(address, { headers: { accept: 'application/json' }, signal: this.http.totalTimeout() });
    const { openid, unionid, errcode = 0 } = parseSession(await response.text());
    if (overloadCodes.has(errcode)) throw new ApiError(signInMethodProblems.providerUnavailable, {}, { cause: new Error(`${address.host}: says ${errcode}`) });
    if (errcode !== 0 || !openid) throw new ApiError(signInMethodProblems.providerRefused, {}, { cause: new Error(`${address.host}: says ${errcode}`) });
    return { openid, ...(unionid ? { unionid } : {}) };
  }
}

/** Parses JSON of any content type. */
function parseSession(text: string): Session {
  try {
    const { openid, unionid, errcode } = (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof openid === 'string' ? { openid } : {}),
      ...(typeof unionid === 'string' ? { unionid } : {}),
      ...(typeof errcode === 'number' ? { errcode } : {}),
    };
  } catch {
    return {};
  }
}

/** Builds the sign-in methods of identity providers, with the routes that begin and link them. */
export function methodsOf(context: ServerContext): { methods: SignInMethod[]; routes: PluginRoute[]; departures: Departures; sweep: () => Promise<void> } {
  const { db, get, secretKeys } = context;
  const signIn = get(SignInPort);
  const { identities, configuration } = signIn;
  const { publicUrl, socialEndpoints } = configuration;
  const apps = new SocialApps(db);
  const states = new OAuthStateStore(db, secretKeys('state'), publicUrl?.protocol === 'https:');
  const miniProgram = new MiniProgramSignIn({ apps, identities, address: socialEndpoints[miniProgramSource]?.token });
  const social = new SocialSignIn({ apps, client: new SocialClient(socialEndpoints), identities, states, publicUrl });
  const providers = identityProviders(context, signIn, states);
  const { oidc, ldap, roles } = providers;
  const sso = new SingleSignOn({ db, identities, states, publicUrl, configuration: configuration.sso });

  const bySocial = ({ input, origin }: SignInRequest): Promise<SignInResult> => {
    const { source: name = '', code = '', state = '', tenantId = '' } = input;
    if (MiniProgramSignIn.isSource(name)) return miniProgram.finish(tenantId, code);
    if (isProviderSource(name)) return oidc.finish(name, { code, state, iss: input.iss ?? '' }, origin.header('cookie'));
    const source = findSource(name);
    return source ? social.finish(source, { code, state }, { userId: '', cookies: origin.header('cookie') }) : bySso({ input, origin });
  };
  /** Signs in with single sign-on; BladeX-compatible clients send the state as the tenant. */
  const bySso = ({ input: { code = '', state, tenantId = '', iss = '' }, origin }: SignInRequest): Promise<SignInResult> =>
    sso.finish({ code, state: state || tenantId, iss }, { userId: '', cookies: origin.header('cookie') });

  return {
    methods: [
      { id: 'social', offers: (tenantId) => social.offeredSources(tenantId), grants: { social: bySocial } },
      { id: ssoSource, offers: async (tenantId) => sso.isOffered(tenantId), grants: { authorization_code: bySso } },
      { id: 'providers', offers: (tenantId) => providers.offered(tenantId), grants: { ldap: (request) => ldap.signIn(request) } },
    ],
    routes: [...bindingRoutes(signIn, new Bindings({ db, signIn, social, sso, oidc, roles })), ...providers.routes],
    departures: providers.departures,
    sweep: providers.sweep,
  };
}
