import type { ServerContext } from '#server';

const key = 'account.initPassword';
/** What the family's servers give where nobody has said otherwise; it must be changed at the first sign-in. */
const preset = '123456';

/** The password of accounts nobody gave one. All of them have the same anyway, so its hash is made once. */
export class InitialPassword {
  private known: { readonly text: string; readonly hash: Promise<string> } | undefined;

  constructor(private readonly context: Pick<ServerContext, 'parameters' | 'passwords'>) {}

  async hash(): Promise<string> {
    const { parameters, passwords } = this.context;
    const text = await parameters.text(key, preset);
    if (this.known?.text !== text) {
      const hash = passwords.hash(passwords.read(text));
      this.known = { text, hash };
      hash.catch(() => {
        this.known = undefined;
      });
    }
    return this.known.hash;
  }
}
