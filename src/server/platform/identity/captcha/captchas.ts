import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { authProblems, type CaptchaReply } from '#shared/auth';
import { ApiError } from '#shared/errors';
import type { Configuration } from '../../../base/configuration/configuration.ts';
import type { Log } from '../../../base/log.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { doneMessage } from '../../http/envelope.ts';
import { captchaAlphabet } from './captcha-picture.ts';
import type { WorkChallenges } from './work-challenge.ts';

const length = 5;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Dependencies of `Captchas`. */
export interface CaptchaDeps {
  readonly db: Database;
  readonly configuration: Pick<Configuration, 'captcha' | 'captchaTestAnswer'>;
  readonly work: WorkChallenges;
  readonly log: Pick<Log, 'error'>;
  /** Resolves with a PNG of the text. */
  readonly picture: (text: string) => Promise<Buffer>;
}

/** Pictures of a code that are hard for scripts to read, or a proof of work instead; each can be answered once, within 30 minutes. */
export class Captchas {
  constructor(private readonly deps: CaptchaDeps) {}

  get isRequired(): boolean {
    return this.deps.configuration.captcha;
  }

  /** Creates a captcha: a PNG of 130×48 as a data URL and the key to answer it with; both are empty if the deployment uses no captcha. */
  async draw(): Promise<CaptchaReply> {
    if (!this.isRequired) return { key: '', image: '' };
    const { db, configuration, work } = this.deps;
    const answer = configuration.captchaTestAnswer ?? randomText();
    const key = randomUUID();
    const image = await this.imageOf(answer);
    await db.asPlatform('stores a captcha before sign-in', async () => {
      await db.sql.execute(sql`insert into captcha (key, answer, expires_at) values (${key}, ${answer.toLowerCase()}, now() + interval '30 minutes')`);
    });
    return { key, image, work: await work.of(key) };
  }

  /** Throws unless the code is correct; the key is used up in either case. */
  async check(key: string, code: string): Promise<void> {
    if (!this.isRequired) return;
    if (!uuidPattern.test(key)) throw new ApiError(authProblems.wrongCaptcha);
    const { db, work } = this.deps;
    const [drawn] = await db.asPlatform('checks a captcha before sign-in', () =>
      queryRows<{ answer: string; live: boolean }>(db, sql`delete from captcha where key = ${key}::uuid returning answer, expires_at > now() as live`),
    );
    const isCorrect = drawn?.live && (drawn.answer === code.trim().toLowerCase() || (await work.solves(key, code)));
    if (!isCorrect) throw new ApiError(authProblems.wrongCaptcha);
  }

  /** Returns an empty text if the machine cannot draw, for example on a processor sharp does not support: the proof of work must still let people in. */
  private async imageOf(answer: string): Promise<string> {
    try {
      return `data:image/png;base64,${(await this.deps.picture(answer)).toString('base64')}`;
    } catch (error) {
      this.deps.log.error({ err: error }, 'could not render the captcha picture');
      return '';
    }
  }
}

function randomText(): string {
  return Array.from({ length }, () => captchaAlphabet[randomInt(captchaAlphabet.length)]).join('');
}

/** Repeats key and image under `data`, because some clients read them there and others at the top of the body. */
export function captchaReply(captcha: CaptchaReply) {
  return { ...captcha, code: 200, success: true, data: captcha, msg: doneMessage[0] };
}
