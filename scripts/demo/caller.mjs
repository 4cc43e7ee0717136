/** Client of the HTTP API that acts as one user of the console or the mini-app. It signs in on first use and refreshes an expired token. */
export class Caller {
  #accessToken;
  #refreshToken;
  #expiresAt = 0;

  /** `server.address` is read on every call, because it changes with a restart. `initialPassword`, if given, is replaced by `password` at the first sign-in. */
  constructor(server, client, account, password, initialPassword) {
    Object.assign(this, { server, client, account, password, initialPassword });
  }

  get(path, query = {}) {
    return this.#call('GET', `${path}?${new URLSearchParams(query)}`);
  }

  post(path, body) {
    return this.#call('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  upload(path, name, content) {
    const form = new FormData();
    form.append('file', new Blob([content]), name);
    return this.#call('POST', path, form);
  }

  async #call(method, path, body, headers = {}) {
    await this.signIn();
    const response = await fetch(this.server.address + path, { method, body, headers: { ...headers, 'things-auth': `bearer ${this.#accessToken}` } });
    const envelope = await response.json();
    if (envelope.code !== 200) throw new Error(`${method} ${path.split('?')[0]}: ${envelope.code} ${envelope.msg}`);
    return envelope.data;
  }

  /** Signs in unless the access token is still valid. The first call must happen before the initial password expires. */
  async signIn() {
    if (this.#expiresAt > Date.now()) return;
    const refreshed = this.#refreshToken && (await this.#requestToken({ grant_type: 'refresh_token', refresh_token: this.#refreshToken }));
    const tokens = refreshed?.access_token
      ? refreshed
      : await this.#requestToken({ grant_type: 'captcha', username: this.account, password: this.initialPassword ?? this.password });
    if (!tokens.access_token) throw new Error(`${this.account} could not sign in: ${tokens.error_description}`);
    this.#accessToken = tokens.access_token;
    this.#refreshToken = tokens.refresh_token;
    this.#expiresAt = Date.now() + (tokens.expires_in - 60) * 1000;
    if (this.initialPassword === undefined) return;
    const [oldPassword, newPassword] = [this.initialPassword, this.password];
    this.initialPassword = undefined;
    await this.post('/api/oms-system/user/update-password', { oldPassword, newPassword, newPassword1: newPassword });
  }

  async #requestToken(parameters) {
    const response = await fetch(`${this.server.address}/api/things-auth/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(this.client)}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ tenantId: '000000', scope: 'all', ...parameters }),
    });
    return response.json();
  }
}
