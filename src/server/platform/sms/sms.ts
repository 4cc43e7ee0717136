import type { Log } from '../../base/log.ts';

/** A text message with a one-time code. */
export interface SmsMessage {
  readonly tenantId: string;
  readonly phone: string;
  readonly code: string;
  /** Minutes for which the code is valid. */
  readonly minutes: number;
}

/** A text message from a template of the tenant, for which a plugin supplies the values. */
export interface SmsNotice {
  readonly tenantId: string;
  readonly phones: readonly string[];
  /** Code of one of the tenant's `templates`. */
  readonly template: string;
  /** Values by the names of the template's placeholders. */
  readonly params: Readonly<Record<string, string>>;
}

/** A template that a tenant has set up, with its parameters. */
export interface SmsTemplate {
  readonly code: string;
  readonly params: readonly string[];
}

/** Hands text messages over to a vendor; rejects if the vendor does not accept one. */
export abstract class SmsChannel {
  /** Tests whether it sends for this tenant. */
  abstract serves(tenantId: string): Promise<boolean>;
  abstract send(message: SmsMessage): Promise<void>;
  /** Lists the templates for messages other than codes. */
  abstract templates(tenantId: string): Promise<readonly SmsTemplate[]>;
  abstract notify(notice: SmsNotice): Promise<void>;
}

/** Sends text messages in the background, so that response times do not reveal whether one was sent. */
export class Sms {
  private channels: { readonly channel: SmsChannel; readonly isPaused: (tenantId: string) => boolean }[] = [];
  private readonly sending = new Set<Promise<void>>();

  constructor(private readonly log: Log) {}

  /** Tests whether any channel sends for this tenant. */
  async isOffered(tenantId: string): Promise<boolean> {
    return (await this.channelOf(tenantId)) !== undefined;
  }

  /** Registers a channel and returns its disposer. Of the channels that serve a tenant, the last one registered sends, skipping paused ones. */
  register(channel: SmsChannel, isPaused: (tenantId: string) => boolean = () => false): () => void {
    this.channels.push({ channel, isPaused });
    return () => {
      this.channels = this.channels.filter((one) => one.channel !== channel);
    };
  }

  /** Sends a code; a failure is logged without phone number and code. */
  send(message: SmsMessage): void {
    const delivery = (async () => (await this.channelOf(message.tenantId))?.send(message))()
      .catch((error: unknown) => this.log.error({ err: error, tenantId: message.tenantId }, 'could not send a text message'))
      .finally(() => this.sending.delete(delivery));
    this.sending.add(delivery);
  }

  /** Lists the templates for messages other than codes; empty if no channel sends for the tenant. */
  async templates(tenantId: string): Promise<readonly SmsTemplate[]> {
    return (await (await this.channelOf(tenantId))?.templates(tenantId)) ?? [];
  }

  /** Sends a message; rejects if the vendor does not accept it. Call it outside of transactions, because it waits for a vendor. */
  async notify(notice: SmsNotice): Promise<void> {
    const channel = await this.channelOf(notice.tenantId);
    if (!channel) throw new Error('no SMS channel is available for this tenant');
    await channel.notify(notice);
  }

  private async channelOf(tenantId: string): Promise<SmsChannel | undefined> {
    for (const { channel, isPaused } of [...this.channels].reverse()) if (!isPaused(tenantId) && (await channel.serves(tenantId))) return channel;
    return undefined;
  }

  /** Waits for messages being sent. */
  async settle(): Promise<void> {
    await Promise.all(this.sending);
  }
}
