import { PasswordEmails } from '#plugins/organization/server-extension';
import { defineServerPlugin, Mail, provide, type ServerPlugin } from '#server';
import { emailParameters } from '../contract.ts';
import { emailMenu, emailMessageMenu, emailTemplateMenu } from '../menus.ts';
import { PendingWorkDigest } from './digest.ts';
import { EmailLog } from './email-log.ts';
import { emailHealth } from './health.ts';
import { emailKinds } from './kinds.ts';
import { MailedViews } from './mailed-views.ts';
import { Outbox } from './outbox.ts';
import { personalData } from './personal-data.ts';
import { emailRoutes } from './routes.ts';
import { EmailSettings, emailSetupFigure } from './settings.ts';
import type { SmtpTimeouts } from './smtp.ts';
import { QueuedPasswordEmails, StoredMail } from './stored-mail.ts';

const sendSeconds = 2;
const viewSeconds = 30;
const digestSeconds = 300;
const pruneSeconds = 3600;

/** E-mail: the SMTP server of a tenant, a queue with retries, and mailed notifications, views and one-time passwords. */
export const emailPlugin = (timeouts?: SmtpTimeouts): ServerPlugin =>
  defineServerPlugin({
    id: 'email',
    title: ['邮件', 'E-mail'],
    optionalDependencies: ['transfers', 'organization'],
    parameters: emailParameters,
    personalData,
    menus: [emailMenu, emailTemplateMenu, emailMessageMenu],
    mailKinds: emailKinds,
    setup(context) {
      const settings = new EmailSettings(context);
      const mail = new StoredMail(context, settings);
      const outbox = new Outbox(context, settings, timeouts);
      const log = new EmailLog(context, mail);
      const views = new MailedViews(context, settings, mail);
      const digest = new PendingWorkDigest(context, mail);
      return {
        services: [provide(Mail, mail), provide(PasswordEmails, new QueuedPasswordEmails(context.db, settings, mail))],
        figures: [emailSetupFigure(context)],
        ...emailHealth(context),
        routes: emailRoutes(context, { settings, mail, outbox, log, views }),
        tasks: [
          { everySeconds: sendSeconds, run: () => outbox.poll() },
          { everySeconds: viewSeconds, run: () => views.sendDue() },
          { everySeconds: digestSeconds, run: () => digest.sendDue() },
          { everySeconds: pruneSeconds, run: () => log.prune() },
        ],
        stop: () => {
          views.stop();
          digest.stop();
          return outbox.stop();
        },
      };
    },
  });

export default emailPlugin();
