import { createPrivateKey } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { paymentProblems, providerStatus } from '#plugins/payment/contract';
import { isRsaKey, type PaymentProvider, type ProviderPayouts, type TenantGateway } from '#plugins/payment/server-extension';
import { ApiError, certificateItem, type HealthSource, queryRows, type Repository, repositoryOf, type ServerContext } from '#server';
import type { FormOf } from '#shared/contract';
import { PayChannel, type PayChannelRow, wechatPayProblems } from '../contract.ts';
import { payChannelMenu } from '../menus.ts';
import { gatewayName, providerId, WechatGateway } from './wechat-gateway.ts';
import { pemOf, readPublicKey } from './wechat-signing.ts';

/** Provider of the WeChat Pay merchants of tenants. */
export class PayChannels implements PaymentProvider {
  readonly id = providerId;
  readonly rows: Repository<typeof PayChannel>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly payouts: ProviderPayouts,
    /** Address of WeChat Pay. */
    private readonly address: string,
  ) {
    this.rows = repositoryOf(db, PayChannel, {
      beforeSave: async (form, before) => {
        assertValidKeys(form);
        if (!before) return;
        assertSameMerchant(form, before);
        if (before.status === providerStatus.enabled && (await this.replacesKeys(form, before))) await this.disable(before.id);
      },
      beforeRemove: async (rows) => {
        for (const row of rows) {
          if (row.status === providerStatus.enabled) throw new ApiError(paymentProblems.channelEnabled);
          await this.assertNoOpenPayouts(row);
        }
      },
    });
  }

  /** Enables or disables a channel; at most one is enabled. */
  async setStatus(id: string, status: (typeof providerStatus)[keyof typeof providerStatus]): Promise<void> {
    await this.db.lock('enabled payment providers');
    await this.rows.detail(id);
    await this.rows.setSingleStatus(id, status, providerStatus);
    if (status === providerStatus.enabled) await this.payouts.sendWaiting();
  }

  async enabled(): Promise<WechatGateway[]> {
    return Promise.all((await this.rows.list(sql`${this.rows.table.status} = ${providerStatus.enabled}`)).map((row) => this.createGateway(row)));
  }

  async find(id: string): Promise<WechatGateway | undefined> {
    const row = await this.rows.find({ id });
    return row && this.createGateway(row);
  }

  /** Returns each merchant that is enabled or has payouts from the month before the day, once. */
  async ofDay(day: string): Promise<WechatGateway[]> {
    const { id, status } = this.rows.table;
    const sent = sql`select from payout p where p.gateway = 'wechat:' || ${id} and p.create_time >= ${day}::date - 31`;
    const merchants = new Map((await this.rows.list(sql`${status} = ${providerStatus.enabled} or exists (${sent})`)).map((row) => [row.mchId, row]));
    return Promise.all([...merchants.values()].map((row) => this.createGateway(row)));
  }

  /** Returns enabled channels of all tenants with sent payouts whose provider signs with this key. Payouts of disabled channels are polled instead. */
  async enabledWithKey(keyId: string): Promise<TenantGateway[]> {
    const found = await this.db.asPlatform('finds the tenant of a notification by its key', () =>
      queryRows<{ id: string; tenantId: string }>(
        this.db,
        sql`select c.id::text as id, c.tenant_id as "tenantId" from pay_channel c where c.public_key_id = ${keyId} and c.status = ${providerStatus.enabled} and c.is_deleted = 0
              and exists (select from payout p where p.tenant_id = c.tenant_id and p.gateway = 'wechat:' || c.id)
            order by c.id limit 50`,
      ),
    );
    return Promise.all(
      found.map(async ({ id, tenantId }) => ({
        tenantId,
        gateway: await this.db.read({ tenantId }, async () => this.createGateway(await this.rows.detail(id))),
      })),
    );
  }

  private async replacesKeys(form: Partial<FormOf<typeof PayChannel>>, before: PayChannelRow): Promise<boolean> {
    for (const field of ['serialNo', 'publicKeyId', 'publicKey'] as const) if (form[field] !== undefined && form[field] !== before[field]) return true;
    for (const field of ['privateKey', 'apiV3Key'] as const) {
      const newValue = form[field];
      if (newValue && newValue !== (await this.rows.decrypt(before.id, field))) return true;
    }
    return false;
  }

  /** Disables a changed channel until a user with the permission to enable it has reviewed it. */
  private async disable(id: string): Promise<void> {
    await this.rows.setSingleStatus(id, providerStatus.off, providerStatus);
  }

  private async createGateway(row: PayChannelRow): Promise<WechatGateway> {
    const privateKey = pemOf((await this.rows.decrypt(row.id, 'privateKey')) ?? '');
    return new WechatGateway(
      { ...row, publicKey: pemOf(row.publicKey), privateKey, apiV3Key: (await this.rows.decrypt(row.id, 'apiV3Key')) ?? '' },
      this.address,
    );
  }

  private async assertNoOpenPayouts({ id }: PayChannelRow): Promise<void> {
    const count = await this.payouts.countOpen(gatewayName(id));
    if (count > 0) throw new ApiError(paymentProblems.hasOpenPayouts, { count });
  }
}

/** Sent payouts are queried through this row: another merchant would not know them, and they would be sent and paid again. */
function assertSameMerchant(form: Partial<FormOf<typeof PayChannel>>, before: PayChannelRow): void {
  for (const field of ['mchId', 'appId'] as const)
    if (form[field] !== undefined && form[field] !== before[field]) throw new ApiError(paymentProblems.merchantChanged, {}, { field });
}

function assertValidKeys({ privateKey, apiV3Key, publicKey }: Partial<FormOf<typeof PayChannel>>): void {
  if (privateKey && !isRsaKey(() => createPrivateKey(pemOf(privateKey)))) throw new ApiError(paymentProblems.wrongPrivateKey, {}, { field: 'privateKey' });
  if (publicKey && !isRsaKey(() => readPublicKey(pemOf(publicKey)))) throw new ApiError(wechatPayProblems.wrongPublicKey, {}, { field: 'publicKey' });
  if (apiV3Key && Buffer.byteLength(apiV3Key) !== 32) throw new ApiError(wechatPayProblems.wrongApiKey, {}, { field: 'apiV3Key' });
}

/** Reports the platform certificates of enabled merchants; a public key instead of a certificate never expires. */
export const platformCertificates = (db: ServerContext['db']): HealthSource => ({
  section: 'certificates',
  async read() {
    const rows = await db.asPlatform('reads the certificates of all merchants', () =>
      queryRows<{ id: string; tenantId: string; name: string; pem: string }>(
        db,
        sql`select id::text as id, tenant_id as "tenantId", name, public_key as pem from pay_channel
            where status = ${providerStatus.enabled} and is_deleted = 0 order by tenant_id limit 200`,
      ),
    );
    return rows.flatMap(({ id, tenantId, name, pem }) => {
      const title = [`微信支付平台证书「${name}」（租户 ${tenantId}）`, `WeChat Pay platform certificate “${name}” (tenant ${tenantId})`] as const;
      return certificateItem({ id: `wechat:${id}`, title, page: payChannelMenu.code }, pem) ?? [];
    });
  },
});
