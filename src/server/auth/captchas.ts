import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import * as svgCaptcha from 'svg-captcha';
import { authProblems, type CaptchaReply } from '#shared/auth';
import { Refusal } from '#shared/errors';
import type { Configuration } from '../configuration.ts';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import type { WorkChallenges } from './work-challenge.ts';

/** Without the letters and digits people mistake for one another. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYabcdefhjkmnpqrstuvwxy345678';
const length = 5;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The module is the function itself, which its types leave out. */
const drawing = (svgCaptcha as unknown as { default: (text: string, options: object) => string }).default;

/** Pictures that a person reads and a program does not, or work in their place; each may be answered once, within 30 minutes. */
export class Captchas {
  constructor(
    private readonly db: Database,
    private readonly configuration: Pick<Configuration, 'captcha' | 'captchaTestAnswer'>,
    private readonly work: WorkChallenges,
  ) {}

  get asked(): boolean {
    return this.configuration.captcha;
  }

  /** A data URL of 130×48 and the key to answer it with; both empty where the deployment asks for none. */
  async draw(): Promise<CaptchaReply> {
    if (!this.asked) return { key: '', image: '' };
    const answer = this.configuration.captchaTestAnswer ?? randomText();
    const key = randomUUID();
    const picture = drawing(answer, { width: 130, height: 48, fontSize: 46, noise: 2, color: true, background: '#f5f7fa' });
    await this.db.asPlatform('a captcha is drawn before anyone is known', async () => {
      await this.db.sql.execute(sql`insert into captcha (key, answer, expires_at) values (${key}, ${answer.toLowerCase()}, now() + interval '30 minutes')`);
    });
    return { key, image: `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`, work: await this.work.of(key) };
  }

  /** Throws unless the code is right; right or wrong, the key is used up. */
  async check(key: string, code: string): Promise<void> {
    if (!this.asked) return;
    if (!uuid.test(key)) throw new Refusal(authProblems.wrongCaptcha);
    const [drawn] = await this.db.asPlatform('a captcha is answered before anyone is known', () =>
      rowsOf<{ answer: string; live: boolean }>(this.db, sql`delete from captcha where key = ${key}::uuid returning answer, expires_at > now() as live`),
    );
    const right = drawn?.live && (drawn.answer === code.trim().toLowerCase() || (await this.work.solves(key, code)));
    if (!right) throw new Refusal(authProblems.wrongCaptcha);
  }
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}
