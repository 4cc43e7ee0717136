import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { paymentProblems, providerStatus } from '#plugins/payment/contract';
import { isRsaKey, type PaymentProvider, type ProviderPayouts, type TenantGateway } from '#plugins/payment/server-extension';
import { ApiError, type PluginRoute, queryRows, type Repository, repositoryOf, route, type ServerContext } from '#server';
import type { FormOf } from '#shared/contract';
import { AlipayMerchant, type AlipayMerchantRow, alipayNotification, alipayProblems } from '../contract.ts';
import { AlipayGateway, gatewayName, providerId } from './alipay-gateway.ts';
import { readPrivateKey, readPublicKey } from './alipay-signing.ts';

type MerchantForm = Partial<FormOf<typeof AlipayMerchant>>;

/** Provider of the Alipay apps of tenants. */
export class AlipayMerchants implements PaymentProvider {
  readonly id = providerId;
  readonly rows: Repository<typeof AlipayMerchant>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly payouts: ProviderPayouts,
    private readonly address: string,
  ) {
    this.rows = repositoryOf(db, AlipayMerchant, {
      beforeSave: async (form, before) => {
        assertValidKeys(form);
        if (!before) return;
        // Sent payouts are queried through this row: another app would not know them, and they would be sent and paid again.
        if (form.appId !== undefined && form.appId !== before.appId) throw new ApiError(paymentProblems.merchantChanged, {}, { field: 'appId' });
        // A changed merchant waits until a user with the permission to enable it has reviewed it.
        if (before.status === providerStatus.enabled && (await this.replacesKeys(form, before)))
          await this.rows.setSingleStatus(before.id, providerStatus.off, providerStatus);
      },
      beforeRemove: async (rows) => {
        for (const { id, status } of rows) {
          if (status === providerStatus.enabled) throw new ApiError(paymentProblems.channelEnabled);
          const count = await payouts.countOpen(gatewayName(id));
          if (count > 0) throw new ApiError(paymentProblems.hasOpenPayouts, { count });
        }
      },
    });
  }

  async setStatus(id: string, status: (typeof providerStatus)[keyof typeof providerStatus]): Promise<void> {
    await this.db.lock('enabled payment providers');
    await this.rows.detail(id);
    await this.rows.setSingleStatus(id, status, providerStatus);
    if (status === providerStatus.enabled) await this.payouts.sendWaiting();
  }

  async enabled(): Promise<AlipayGateway[]> {
    return Promise.all((await this.rows.list(sql`${this.rows.table.status} = ${providerStatus.enabled}`)).map((row) => this.gatewayOf(row)));
  }

  async find(id: string): Promise<AlipayGateway | undefined> {
    const row = await this.rows.find({ id });
    return row && this.gatewayOf(row);
  }

  /** Returns each app that is enabled or has payouts from the month before the day, once. */
  async ofDay(day: string): Promise<AlipayGateway[]> {
    const { id, status } = this.rows.table;
    const sent = sql`select from payout p where p.gateway = 'alipay:' || ${id} and p.create_time >= ${day}::date - 31`;
    const apps = new Map((await this.rows.list(sql`${status} = ${providerStatus.enabled} or exists (${sent})`)).map((row) => [row.appId, row]));
    return Promise.all([...apps.values()].map((row) => this.gatewayOf(row)));
  }

  /** Returns the enabled merchants of all tenants with sent payouts for this app. */
  async enabledWithApp(appId: string): Promise<TenantGateway[]> {
    const found = await this.db.asPlatform('finds the tenant of a notification by its app', () =>
      queryRows<{ id: string; tenantId: string }>(
        this.db,
        sql`select m.id::text as id, m.tenant_id as "tenantId" from alipay_merchant m where m.app_id = ${appId} and m.status = ${providerStatus.enabled} and m.is_deleted = 0
              and exists (select from payout p where p.tenant_id = m.tenant_id and p.gateway = 'alipay:' || m.id)
            order by m.id limit 50`,
      ),
    );
    return Promise.all(
      found.map(async ({ id, tenantId }) => ({
        tenantId,
        gateway: await this.db.read({ tenantId }, async () => this.gatewayOf(await this.rows.detail(id))),
      })),
    );
  }

  private async replacesKeys({ privateKey, publicKey }: MerchantForm, before: AlipayMerchantRow): Promise<boolean> {
    if (publicKey !== undefined && publicKey !== before.publicKey) return true;
    return Boolean(privateKey) && privateKey !== (await this.rows.decrypt(before.id, 'privateKey'));
  }

  private async gatewayOf(row: AlipayMerchantRow): Promise<AlipayGateway> {
    return new AlipayGateway({ ...row, privateKey: (await this.rows.decrypt(row.id, 'privateKey')) ?? '' }, this.address);
  }
}

function assertValidKeys({ privateKey, publicKey }: MerchantForm): void {
  if (privateKey && !isRsaKey(() => readPrivateKey(privateKey))) throw new ApiError(paymentProblems.wrongPrivateKey, {}, { field: 'privateKey' });
  if (publicKey && !isRsaKey(() => readPublicKey(publicKey))) throw new ApiError(alipayProblems.wrongPublicKey, {}, { field: 'publicKey' });
}

/** Alipay expects exactly this text as the reply to a notification. */
const accepted = 'success';

/** Receives the notifications of Alipay. */
export const noticeRoute = (merchants: AlipayMerchants, payouts: ProviderPayouts): PluginRoute =>
  route(
    alipayNotification,
    async ({ input: { raw }, header = () => '' }) => {
      const gateways = await merchants.enabledWithApp(new URLSearchParams(raw).get('app_id') ?? '');
      if (!(await payouts.receive(gateways, { body: raw, header }))) throw new ApiError(paymentProblems.invalidNotice);
      return { name: 'reply.txt', type: 'text/plain', size: accepted.length, isPublic: false, content: Readable.from([accepted]) };
    },
    { manualTransactions: true },
  );
