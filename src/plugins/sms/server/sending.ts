import { randomUUID } from 'node:crypto';
import { ApiError, type ServerContext, SmsChannel, type SmsMessage, type SmsNotice, type SmsTemplate } from '#server';
import { smsProblems, vendors } from '../contract.ts';
import type { SendVendorRequest } from './ask.ts';
import { Configurations, type DecryptedSmsConfiguration } from './configurations.ts';
import { Deliveries, type Purpose } from './deliveries.ts';
import { aliyun } from './vendors/aliyun.ts';
import { qiniu } from './vendors/qiniu.ts';
import { tencent } from './vendors/tencent.ts';
import type { Message, Vendor, VendorResult } from './vendors/vendor.ts';
import { yunpian } from './vendors/yunpian.ts';

const speaking: Readonly<Record<string, Vendor>> = {
  [vendors.yunpian]: yunpian,
  [vendors.qiniu]: qiniu,
  [vendors.aliyun]: aliyun,
  [vendors.tencent]: tencent,
};

/** Failure reasons of requests without a readable response, by error name. */
const silences: Readonly<Record<string, string>> = { TimeoutError: 'timed out', SyntaxError: 'no JSON' };

/** Message to send by the tenant's configuration. */
export interface OutgoingMessage {
  readonly tenantId: string;
  readonly code?: string | null | undefined;
  readonly phones: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly purpose: Purpose;
}

/** Sends messages through vendors and records the results. It opens its own transactions, so that no lock is held while waiting for a vendor. */
export class Sending extends SmsChannel {
  readonly configurations: Configurations;
  readonly deliveries: Deliveries;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'parameters'>,
    private readonly ask: SendVendorRequest,
  ) {
    super();
    this.configurations = new Configurations(context.db);
    this.deliveries = new Deliveries(context);
  }

  serves(tenantId: string): Promise<boolean> {
    return this.context.db.read({ tenantId }, () => this.configurations.isEnabled());
  }

  async send({ tenantId, phone, code, minutes }: SmsMessage): Promise<void> {
    await this.deliver({ tenantId, phones: [phone], params: { code, minutes }, purpose: 'code' });
  }

  templates(tenantId: string): Promise<SmsTemplate[]> {
    return this.context.db.read({ tenantId }, () => this.configurations.templates());
  }

  async notify({ tenantId, template, phones, params }: SmsNotice): Promise<void> {
    await this.deliver({ tenantId, code: template, phones, params, purpose: 'notice' });
  }

  /** Sends a message; throws a refusal with the vendor's reason. */
  async deliver({ tenantId, code, phones, params, purpose }: OutgoingMessage): Promise<void> {
    const { db } = this.context;
    const { message, vendor, begun } = await db.write({ tenantId }, async () => {
      const opened = await this.configurations.opened(code);
      const ready = messageOf(opened, phones, params);
      if (purpose === 'debug') await this.deliveries.mustNotBeTooMany(phones);
      const protocol = speaking[opened.category];
      if (!protocol) throw new ApiError(smsProblems.notSent, { reason: opened.category });
      return { message: ready, vendor: protocol, begun: await this.deliveries.begin(opened, phones, purpose) };
    });
    const result = await this.sendSafely(vendor, message);
    await db.write({ tenantId }, () => this.deliveries.end(begun, result));
    if ('reason' in result) throw new ApiError(smsProblems.notSent, { reason: result.reason.trim() || '-' });
  }

  private async sendSafely(vendor: Vendor, message: Message): Promise<VendorResult> {
    const asking = vendor.request(message, { now: Date.now(), nonce: randomUUID() });
    try {
      return vendor.read(await this.ask(asking));
    } catch (error) {
      // Other details of the error are left out, because the request's body can contain a key.
      return { reason: `${new URL(asking.url).host}: ${(error instanceof Error && silences[error.name]) || 'no answer'}` };
    }
  }
}

function messageOf(opened: DecryptedSmsConfiguration, phones: readonly string[], values: OutgoingMessage['params']): Message {
  const { accessKey, secretKey, appId, regionId, signName, templateId, templateParams } = opened;
  const params = (templateParams ?? ['code']).map((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || value === '') throw new ApiError(smsProblems.lacksParam, { name }, { field: 'params' });
    return [name, String(value)] as const;
  });
  return { phones, accessKey, secretKey, appId: appId ?? '', regionId: regionId ?? '', signName, templateId, params };
}
