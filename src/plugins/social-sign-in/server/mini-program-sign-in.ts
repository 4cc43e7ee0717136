import { ApiError, type Identities, isTenantId, platformTenant, type StoredIdentity } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { miniProgramSource } from '#shared/social';
import { OAuthHttpClient } from './oauth-http-client.ts';
import type { SocialApps } from './social-apps.ts';

const publicAddress = 'https://api.weixin.qq.com/sns/jscode2session';
/** Error codes of WeChat when it is overloaded, or has received too many requests. */
const overloadCodes: ReadonlySet<number> = new Set([-1, 45011]);

/** Response of `code2Session`; its session key decrypts user data and is not stored. */
interface MiniProgramSession {
  readonly openid?: string;
  readonly unionid?: string;
  readonly errcode?: number;
}

/** Dependencies of `MiniProgramSignIn`. */
export interface MiniProgramDeps {
  readonly apps: SocialApps;
  readonly identities: Identities;
  /** Address used instead of WeChat's own. */
  readonly address: string | undefined;
}

/**
 * The grant `social` of a WeChat mini-program: the code of `wx.login` identifies the user for the tenant's own mini-program. A code is valid once and for five minutes,
 * and needs no state.
 */
export class MiniProgramSignIn {
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
    const app = isTenantId(tenantId) ? await this.deps.apps.find(tenantId, miniProgramSource) : undefined;
    if (!app) throw new ApiError(signInMethodProblems.notOffered);
    if (code === '') throw new ApiError(signInMethodProblems.providerRefused);
    const { openid, unionid = '' } = await this.session({ appid: app.clientId, secret: app.clientSecret, js_code: code, grant_type: 'authorization_code' });
    const identity = await this.deps.identities.upsert(
      { tenantId, source: miniProgramSource },
      { uuid: openid, unionId: unionid, name: '', avatar: '', email: '' },
    );
    return { tenantId, identity };
  }

  private async session(query: Readonly<Record<string, string>>): Promise<MiniProgramSession & { openid: string }> {
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
function parseSession(text: string): MiniProgramSession {
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
