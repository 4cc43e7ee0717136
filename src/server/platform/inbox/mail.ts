import type { LocalizedText } from '#shared/text';

/** Values of the placeholders of an e-mail; a text in both languages is written in that of the recipient. */
export type MailData = Readonly<Record<string, string | number | LocalizedText>>;

/** A kind of e-mail that a plugin sends. One source per language becomes the subject, the plain text and the HTML; values are escaped. */
export interface MailKind {
  /** Begins with the id of the plugin: `job:alert`. */
  readonly code: `${string}:${string}`;
  /** Name in the settings of users and in the delivery log. */
  readonly title: LocalizedText;
  /** Subject with `{name}` placeholders. */
  readonly subject: LocalizedText;
  /** Paragraphs with `{name}` placeholders; one whose values are all empty is left out. */
  readonly body: readonly LocalizedText[];
  /** Label of the button that opens the link of the e-mail. */
  readonly action?: LocalizedText;
  /**
   * `notification` is a topic of `inbox.deliver`: users choose inbox, e-mail, both or neither. `optional` is sent by e-mail alone and can be turned off; users cannot turn
   * off `required`, such as an e-mail with a password.
   */
  readonly use: 'notification' | 'optional' | 'required';
  /** Values of the preview and of the e-mail that an administrator sends as a sample. */
  readonly sample: MailData;
}

/** A file attached to an e-mail. */
export interface MailAttachment {
  readonly name: string;
  readonly contentType: string;
  readonly text: string;
}

/** E-mail to users of one tenant. */
export interface MailRequest {
  /** Code of a kind that a running plugin declares. */
  readonly kind: string;
  /** Ids of users. Users without an address, disabled ones and those who turned the kind off receive nothing. */
  readonly to: readonly string[];
  /** Tenant of the users; by default that of the current work. */
  readonly tenant?: string;
  readonly data: MailData;
  /** Path of the console, or an address that begins with http, which the button opens. */
  readonly link?: string;
  readonly table?: { readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly attachments?: readonly MailAttachment[];
  /** A second request of the same kind with the same key queues nothing for a user who has one. */
  readonly key?: string;
}

/** Sends e-mail to users in their language. One plugin shares the service; without it, and in tenants that have not set up a server, nothing is sent. */
export abstract class Mail {
  /** Queues e-mails as part of the current transaction and returns the ids of the users for whom one is queued; they are sent after the commit, and again after temporary failures. */
  abstract send(request: MailRequest): Promise<readonly string[]>;
  /** Returns the users who want notifications of a topic in their inbox. */
  abstract inboxUsers(topic: string, users: readonly string[], tenant: string | undefined): Promise<readonly string[]>;
}

/** Passes e-mails on to the plugin that provides the service; they are dropped in tenants where it is disabled. */
export class ProvidedMail extends Mail {
  constructor(private readonly provider: (tenantId: string | undefined) => Mail | undefined) {
    super();
  }

  override async send(request: MailRequest): Promise<readonly string[]> {
    return (await this.provider(request.tenant)?.send(request)) ?? [];
  }

  override async inboxUsers(topic: string, users: readonly string[], tenant: string | undefined): Promise<readonly string[]> {
    return (await this.provider(tenant)?.inboxUsers(topic, users, tenant)) ?? users;
  }
}
