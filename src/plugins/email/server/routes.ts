import { sql } from 'drizzle-orm';
import { ApiError, type MailKind, type PluginRoute, type Principal, problems, queryRows, route, type ServerContext } from '#server';
import { type Language, localize } from '#shared/text';
import { emailMessage, emailProblems, emailServer, emailTemplates, type TestOutcome } from '../contract.ts';
import { ownEmail } from '../own-contract.ts';
import type { EmailLog } from './email-log.ts';
import { testMail } from './kinds.ts';
import type { MailedViews } from './mailed-views.ts';
import type { Outbox } from './outbox.ts';
import { documentOf, htmlOf, textOf } from './rendering.ts';
import type { EmailSettings } from './settings.ts';
import type { StoredMail } from './stored-mail.ts';

/** Services that the routes use. */
export interface EmailServices {
  readonly settings: EmailSettings;
  readonly mail: StoredMail;
  readonly outbox: Outbox;
  readonly log: EmailLog;
  readonly views: MailedViews;
}

const exampleUrl = 'https://console.example.com/';
const outsideTransaction = { manualTransactions: true } as const;

/** Serves settings, templates and the log to administrators, and to users their own preferences. */
export function emailRoutes({ basePath, db }: Pick<ServerContext, 'basePath' | 'db'>, { settings, mail, outbox, log, views }: EmailServices): PluginRoute[] {
  const kindIn =
    (language: Language) =>
    ({ code, title, use }: MailKind) => ({ code, title: localize(title, language), use });
  const kindOf = (code: string) => {
    const found = mail.kinds().find((one) => one.code === code);
    if (!found) throw new ApiError(problems.notFound);
    return found;
  };
  const recipientOf = ({ userId }: Principal) => profileOf(db, userId);
  const sample = async (kind: MailKind, language: Language) => {
    const consoleUrl = (await settings.read()).consoleUrl || exampleUrl;
    return documentOf(kind, { data: kind.sample, link: '/' }, { language, consoleUrl, basePath });
  };
  /** Sends the sample of a kind at once, by default to the caller. */
  const sendSample = async (kind: MailKind, language: Language, principal: Principal, to?: string | null): Promise<TestOutcome> => {
    const { tenantId } = principal;
    const { document, recipient, address } = await db.read({ tenantId }, async () => ({
      document: await sample(kind, language),
      ...(await recipientOf(principal)),
    }));
    if (!(to || address)) throw new ApiError(emailProblems.noAddress, {}, { field: 'to' });
    const content = { subject: document.subject, text: textOf(document), html: htmlOf(document, language) };
    return outbox.sendNow(tenantId, { ...content, kind: testMail.code, recipient: to ? '' : recipient, address: to || address });
  };

  return [
    route(emailServer.read, () => settings.read()),
    route(emailServer.submit, ({ input }) => settings.save(input)),
    route(emailServer.test, ({ input, principal, language }) => sendSample(testMail, language, principal, input.to), outsideTransaction),
    route(emailMessage.list, ({ input, language }) => log.page(input, language)),
    route(emailMessage.retry, ({ input }) => log.retry(input.ids)),
    route(emailTemplates.list, async ({ language }) => mail.kinds().map(kindIn(language))),
    route(emailTemplates.preview, ({ input }) => sample(kindOf(input.code), input.language)),
    route(emailTemplates.send, ({ input, principal }) => sendSample(kindOf(input.code), input.language, principal), outsideTransaction),
    route(ownEmail.settings, async ({ principal, language }) => ({
      address: (await recipientOf(principal)).address,
      isOffered: (await settings.active()) !== undefined,
      topics: mail
        .kinds()
        .filter(({ use }) => use !== 'required')
        .map(kindIn(language)),
    })),
    route(ownEmail.views, async ({ principal, language }) => ({
      isOffered: (await settings.active()) !== undefined,
      views: await views.list(principal, language),
    })),
    route(ownEmail.mailView, ({ input, principal }) => views.subscribe(principal, input)),
    route(ownEmail.stopView, ({ input, principal }) => views.unsubscribe(principal, input)),
  ];
}

/** Reads the name and the address of a user within the tenant. */
async function profileOf(db: ServerContext['db'], userId: string): Promise<{ readonly recipient: string; readonly address: string }> {
  const [row] = await queryRows<{ recipient: string; address: string }>(
    db,
    sql`select left(coalesce(nullif(real_name, ''), account), 64) as recipient, coalesce(email, '') as address from user_account where id = ${userId}`,
  );
  return row ?? { recipient: '', address: '' };
}
