import { randomUUID } from 'node:crypto';
import { ApiError, type ServerContext, SmsChannel, type SmsMessage, type SmsNotice, type SmsTemplate } from '#server';
import { smsProblems, vendors } from '../contract.ts';
import { Configurations, type DecryptedSmsConfiguration } from './configurations.ts';
import { Deliveries, type Purpose } from './deliveries.ts';
import { aliyun } from './vendors/aliyun.ts';
import { qiniu } from './vendors/qiniu.ts';
import { tencent } from './vendors/tencent.ts';
import type { Message, SendVendorRequest, Vendor, VendorResult } from './vendors/vendor.ts';
import { yunpian } from './vendors/yunpian.ts';

const clients: Readonly<Record<string, Vendor>> = {
  [vendors.yunpian]: yunpian,
  [vendors.qiniu]: qiniu,
  [vendors.aliyun]: aliyun,
  [vendors.tencent]: tencent,
};

/** Failure reasons of requests without a readable response, by error name. */
const transportErrors: Readonly<Record<string, string>> = { TimeoutError: 'timed out', SyntaxError: 'no JSON' };

/** Message to send by the tenant's configuration. */
export interface OutgoingMessage {
  readonly tenantId: string;
  readonly code?: string | null | undefined;
  readonly phones: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly purpose: Purpose;
}

/** Sends messages through vendors and records the results. It opens its own transactions, so that no lock is held while waiting for a vendor. */
export class VendorChannel extends SmsChannel {
  readonly configurations: Configurations;
  readonly deliveries: Deliveries;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'parameters'>,
    private readonly sendRequest: SendVendorRequest,
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
    return this.context.db.read({ tenantId }, () => this.configurations.listTemplates());
  }

  async notify({ tenantId, template, phones, params }: SmsNotice): Promise<void> {
    await this.deliver({ tenantId, code: template, phones, params, purpose: 'notice' });
  }

  /** Sends a message; throws a refusal with the vendor's reason. */
  async deliver({ tenantId, code, phones, params, purpose }: OutgoingMessage): Promise<void> {
    const { db } = this.context;
    const { message, vendor, ids } = await db.write({ tenantId }, async () => {
      const configuration = await this.configurations.decrypted(code);
      const message = messageOf(configuration, phones, params);
      if (purpose === 'debug') await this.deliveries.assertWithinLimits(phones);
      const vendor = clients[configuration.category];
      if (!vendor) throw new ApiError(smsProblems.notSent, { reason: configuration.category });
      return { message, vendor, ids: await this.deliveries.begin(configuration, phones, purpose) };
    });
    const result = await this.request(vendor, message);
    await db.write({ tenantId }, () => this.deliveries.end(ids, phones, result));
    if ('reason' in result) throw new ApiError(smsProblems.notSent, { reason: result.reason.trim() || '-' });
  }

  private async request(vendor: Vendor, message: Message): Promise<VendorResult> {
    const request = vendor.request(message, { now: Date.now(), nonce: randomUUID() });
    try {
      return vendor.read(await this.sendRequest(request));
    } catch (error) {
      // Other details of the error are left out, because the request's body can contain a key.
      return { reason: `${new URL(request.url).host}: ${(error instanceof Error && transportErrors[error.name]) || 'no answer'}` };
    }
  }
}

function messageOf(configuration: DecryptedSmsConfiguration, phones: readonly string[], values: OutgoingMessage['params']): Message {
  const { accessKey, secretKey, appId, regionId, signName, templateId, templateParams } = configuration;
  const params = (templateParams ?? ['code']).map((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || value === '') throw new ApiError(smsProblems.paramMissing, { name }, { field: 'params' });
    return [name, String(value)] as const;
  });
  return { phones, accessKey, secretKey, appId: appId ?? '', regionId: regionId ?? '', signName, templateId, params };
}

/** Parses a JSON object; refuses any other text. */
export function parseParams(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {
    // Invalid JSON is refused below.
  }
  throw new ApiError(smsProblems.paramsNotObject, {}, { field: 'params' });
}
