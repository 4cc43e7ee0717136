import { type BrowserSource, browserSources } from '#shared/social';

type Params = Readonly<Record<string, string>>;

/** OAuth 2 settings of one provider: its addresses, the names of its parameters, and its deviations from the standard. */
export interface Provider {
  readonly authorize: {
    readonly url: string;
    /** Name of the parameter for the client id. */
    readonly id: string;
    readonly params: Params;
    /** Fragment that the address requires. */
    readonly fragment?: string;
  };
  readonly token: {
    readonly url: string;
    readonly send: 'query' | 'form' | 'json';
    readonly names: { readonly id: string; readonly secret: string };
    readonly params: Params;
    /** True if the token request must repeat the redirect address. */
    readonly sendsRedirectUri: boolean;
    readonly accessToken: string;
  };
  /** Separate call that returns the user's id. */
  readonly openid?: { readonly url: string; readonly params: Params };
  readonly user: {
    readonly url: string;
    /** Header that carries the token, with its prefix, or query parameter. */
    readonly token: { readonly header: string; readonly prefix: string } | { readonly query: string };
    /** Further parameters; `{clientId}` and `{openid}` are filled in. */
    readonly params: Params;
  };
  /** Params of the stored fields in its responses; the first that is present counts. */
  readonly fields: {
    readonly id: readonly string[];
    readonly union?: string;
    readonly name: readonly string[];
    readonly avatar: string;
    readonly email?: string;
  };
  /** Fields that mark a response with status 200 as a failure if they are neither 0 nor empty. */
  readonly failure: readonly string[];
}

const bearer = { header: 'authorization', prefix: 'Bearer ' } as const;
const byCode = { grant_type: 'authorization_code' } as const;
const clientNames = { id: 'client_id', secret: 'client_secret' } as const;

/** The providers as data; only `social-client.ts` reads it. */
export const providers: Readonly<Record<BrowserSource, Provider>> = {
  github: {
    authorize: { url: 'https://github.com/login/oauth/authorize', id: 'client_id', params: { response_type: 'code', scope: 'read:user' } },
    token: {
      url: 'https://github.com/login/oauth/access_token',
      send: 'form',
      names: clientNames,
      params: byCode,
      sendsRedirectUri: true,
      accessToken: 'access_token',
    },
    user: { url: 'https://api.github.com/user', token: bearer, params: {} },
    fields: { id: ['id'], name: ['name', 'login'], avatar: 'avatar_url', email: 'email' },
    failure: ['error'],
  },
  gitee: {
    authorize: { url: 'https://gitee.com/oauth/authorize', id: 'client_id', params: { response_type: 'code', scope: 'user_info' } },
    token: { url: 'https://gitee.com/oauth/token', send: 'form', names: clientNames, params: byCode, sendsRedirectUri: true, accessToken: 'access_token' },
    user: { url: 'https://gitee.com/api/v5/user', token: { query: 'access_token' }, params: {} },
    fields: { id: ['id'], name: ['name', 'login'], avatar: 'avatar_url', email: 'email' },
    failure: ['error'],
  },
  wechat_open: {
    authorize: {
      url: 'https://open.weixin.qq.com/connect/qrconnect',
      id: 'appid',
      params: { response_type: 'code', scope: 'snsapi_login' },
      fragment: 'wechat_redirect',
    },
    token: {
      url: 'https://api.weixin.qq.com/sns/oauth2/access_token',
      send: 'query',
      names: { id: 'appid', secret: 'secret' },
      params: byCode,
      sendsRedirectUri: false,
      accessToken: 'access_token',
    },
    user: { url: 'https://api.weixin.qq.com/sns/userinfo', token: { query: 'access_token' }, params: { openid: '{openid}', lang: 'zh_CN' } },
    fields: { id: ['openid'], union: 'unionid', name: ['nickname'], avatar: 'headimgurl' },
    failure: ['errcode'],
  },
  qq: {
    authorize: { url: 'https://graph.qq.com/oauth2.0/authorize', id: 'client_id', params: { response_type: 'code', scope: 'get_user_info' } },
    token: {
      url: 'https://graph.qq.com/oauth2.0/token',
      send: 'query',
      names: clientNames,
      params: { ...byCode, fmt: 'json' },
      sendsRedirectUri: true,
      accessToken: 'access_token',
    },
    openid: { url: 'https://graph.qq.com/oauth2.0/me', params: { fmt: 'json' } },
    user: {
      url: 'https://graph.qq.com/user/get_user_info',
      token: { query: 'access_token' },
      params: { oauth_consumer_key: '{clientId}', openid: '{openid}' },
    },
    fields: { id: ['openid'], union: 'unionid', name: ['nickname'], avatar: 'figureurl_qq_2' },
    failure: ['error', 'ret'],
  },
  dingtalk: {
    authorize: { url: 'https://login.dingtalk.com/oauth2/auth', id: 'client_id', params: { response_type: 'code', scope: 'openid', prompt: 'consent' } },
    token: {
      url: 'https://api.dingtalk.com/v1.0/oauth2/userAccessToken',
      send: 'json',
      names: { id: 'clientId', secret: 'clientSecret' },
      params: { grantType: 'authorization_code' },
      sendsRedirectUri: false,
      accessToken: 'accessToken',
    },
    user: { url: 'https://api.dingtalk.com/v1.0/contact/users/me', token: { header: 'x-acs-dingtalk-access-token', prefix: '' }, params: {} },
    fields: { id: ['openId'], union: 'unionId', name: ['nick'], avatar: 'avatarUrl', email: 'email' },
    failure: [],
  },
};

/** Returns the names of a source in BladeX-compatible clients, in their different spellings. */
export const namesOf = (source: BrowserSource): string[] =>
  [source, ...(source === 'wechat_open' ? ['wechat'] : [])].flatMap((name) => [name, name.toUpperCase()]);

/** Finds the source with a name. */
export const findSource = (name: string): BrowserSource | undefined => browserSources.find((source) => namesOf(source).includes(name));
