/** Client of the public API, as a console or a mini-app is. It signs in on first use and refreshes an expired token. */
export class Caller {
  #token;
  #refresh;
  #until = 0;

  /** `server` provides the address, which changes with a restart. A client with an `initial` password changes it first. */
  constructor(server, client, account, password, initial) {
    Object.assign(this, { server, client, account, password, initial });
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
    const reply = await fetch(this.server.address + path, { method, body, headers: { ...headers, 'things-auth': `bearer ${this.#token}` } });
    const answer = await reply.json();
    if (answer.code !== 200) throw new Error(`${method} ${path.split('?')[0]}: ${answer.code} ${answer.msg}`);
    return answer.data;
  }

  /** Signs in unless the token is still valid; the first sign-in must precede the expiry of the initial password. */
  async signIn() {
    if (this.#until > Date.now()) return;
    const known = this.#refresh && (await this.#grant({ grant_type: 'refresh_token', refresh_token: this.#refresh }));
    const granted = known?.access_token ? known : await this.#grant({ grant_type: 'captcha', username: this.account, password: this.initial ?? this.password });
    if (!granted.access_token) throw new Error(`${this.account} could not sign in: ${granted.error_description}`);
    this.#token = granted.access_token;
    this.#refresh = granted.refresh_token;
    this.#until = Date.now() + (granted.expires_in - 60) * 1000;
    if (this.initial === undefined) return;
    const [oldPassword, newPassword] = [this.initial, this.password];
    this.initial = undefined;
    await this.post('/api/oms-system/user/update-password', { oldPassword, newPassword, newPassword1: newPassword });
  }

  async #grant(parameters) {
    const reply = await fetch(`${this.server.address}/api/things-auth/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(this.client)}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ tenantId: '000000', scope: 'all', ...parameters }),
    });
    return reply.json();
  }
}
