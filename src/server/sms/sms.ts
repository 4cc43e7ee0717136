import type { Log } from '../http/app.ts';

/** A text message with a one-time code. */
export interface SmsMessage {
  readonly tenantId: string;
  readonly phone: string;
  readonly code: string;
  /** For how long the code is good. */
  readonly minutes: number;
}

/** A text message that says something: the deployment's plugins fill in a template of the tenant's. */
export interface SmsNotice {
  readonly tenantId: string;
  readonly phones: readonly string[];
  /** Which of the tenant's `templates`. */
  readonly template: string;
  /** By the names of the template's placeholders. */
  readonly params: Readonly<Record<string, string>>;
}

/** A message a tenant has set up, and what it asks for. */
export interface SmsTemplate {
  readonly code: string;
  readonly params: readonly string[];
}

/** Takes text messages to phones; rejects when it could not hand one over. */
export abstract class SmsChannel {
  /** Whether it sends for this tenant. */
  abstract serves(tenantId: string): Promise<boolean>;
  abstract send(message: SmsMessage): Promise<void>;
  /** What may be said beside codes. */
  abstract templates(tenantId: string): Promise<readonly SmsTemplate[]>;
  abstract notify(notice: SmsNotice): Promise<void>;
}

/** Sends text messages behind the caller's back, so that nobody learns from the time an answer takes whether one was sent. */
export class Sms {
  private channels: { readonly channel: SmsChannel; readonly isPaused: (tenantId: string) => boolean }[] = [];
  private readonly sending = new Set<Promise<void>>();

  constructor(private readonly log: Log) {}

  /** Whether any channel sends for this tenant. */
  async isOffered(tenantId: string): Promise<boolean> {
    return (await this.channelOf(tenantId)) !== undefined;
  }

  /** Of the channels that serve a tenant, the one that came last sends; one that is paused is passed over. Returns its undoing. */
  use(channel: SmsChannel, isPaused: (tenantId: string) => boolean = () => false): () => void {
    this.channels.push({ channel, isPaused });
    return () => {
      this.channels = this.channels.filter((one) => one.channel !== channel);
    };
  }

  /** A message that could not be sent is in the log, without its phone and code. */
  send(message: SmsMessage): void {
    const sent = (async () => (await this.channelOf(message.tenantId))?.send(message))()
      .catch((error: unknown) => this.log.error({ err: error, tenantId: message.tenantId }, 'a text message could not be sent'))
      .finally(() => this.sending.delete(sent));
    this.sending.add(sent);
  }

  /** What may be said to phones of a tenant beside codes; nothing where nobody sends for it. */
  async templates(tenantId: string): Promise<readonly SmsTemplate[]> {
    return (await (await this.channelOf(tenantId))?.templates(tenantId)) ?? [];
  }

  /** Rejects when it could not be handed over. Nothing is held while a vendor is waited for: call it outside of transactions. */
  async notify(notice: SmsNotice): Promise<void> {
    const channel = await this.channelOf(notice.tenantId);
    if (!channel) throw new Error('no channel sends for this tenant');
    await channel.notify(notice);
  }

  private async channelOf(tenantId: string): Promise<SmsChannel | undefined> {
    for (const { channel, isPaused } of [...this.channels].reverse()) if (!isPaused(tenantId) && (await channel.serves(tenantId))) return channel;
    return undefined;
  }

  /** Waits for what is being sent. */
  async settle(): Promise<void> {
    await Promise.all(this.sending);
  }
}
