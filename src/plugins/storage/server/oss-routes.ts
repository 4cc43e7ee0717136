import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { Dict } from '#plugins/dictionary/contract';
import {
  ApiError,
  crudRoutes,
  type DeclaredReference,
  EgressError,
  type FigureSource,
  type HealthSource,
  idArray,
  type ObjectStore,
  type PluginRoute,
  problem,
  queryRows,
  type Repository,
  readAll,
  repositoryOf,
  route,
  type ServerContext,
  setupStep,
  tableOf,
  textArray,
} from '#server';
import { type FormOf, maxCountedRows } from '#shared/contract';
import { type Language, type LocalizedText, localize } from '#shared/text';
import { Oss, type OssRow, type OssTestResult, oss, ossProblems, ossStatus, probeMessages, probeSteps, stores } from '../contract.ts';
import { ossMenu } from '../menus.ts';
import { type ConfiguredStores, storeKeyOf } from './configured-stores.ts';
import { reasonOf } from './s3-failures.ts';

const withReason = ({ status, message: text }: ReturnType<typeof problem>, [zh, en]: LocalizedText) =>
  problem(status, [localize(text, 'zh', { reason: zh }), localize(text, 'en', { reason: en })]);

/** Serves the file stores of a tenant: configuration, enabling and testing. */
export function ossRoutes({ db }: Pick<ServerContext, 'db'>, rows: Repository<typeof Oss>, directory: ConfiguredStores): PluginRoute[] {
  const test = async (tenantId: string, row: OssRow): Promise<ProbeResult> =>
    row.category === stores.local ? { passed: 3, reason: undefined } : probe(() => db.read({ tenantId }, () => directory.open(tenantId, row)));
  const rowOf = (tenantId: string, id: string) => db.read({ tenantId }, () => rows.detail(id));

  return [
    crudRoutes(oss, rows, { search: { fields: ['ossCode', 'bucketName'], subtitle: ['bucketName'], actions: { oss_edit: true } } }),
    route(oss.list, async ({ input }) => {
      const { records, ...page } = await rows.page(input);
      const [categories, states] = [await dictionaryNames(db, 'oss'), await dictionaryNames(db, 'yes_no')];
      const named = records.map((row) => ({ ...row, categoryName: categories.get(row.category) ?? '', statusName: states.get(String(row.status)) ?? '' }));
      return { ...page, records: named };
    }),
    route(
      oss.test,
      async ({ input, principal: { tenantId }, language }) => {
        const row = await rowOf(tenantId, input.id);
        const result = testResultOf(await test(tenantId, row), language);
        if (row.category !== stores.local) return result;
        return { ...result, steps: result.steps.slice(0, 1).map((step) => ({ ...step, detail: localize(probeMessages.local, language) })) };
      },
      { manualTransactions: true },
    ),
    route(
      oss.createBucket,
      async ({ input, principal: { tenantId } }) => {
        const row = await db.read({ tenantId }, () => rows.find({ status: ossStatus.enabled }));
        if (!row || row.category === stores.local) throw new ApiError(ossProblems.noRemoteStore);
        try {
          const store = await db.read({ tenantId }, () => directory.open(tenantId, row));
          await store.createBucket(input.bucketName);
        } catch (error) {
          throw new ApiError(withReason(ossProblems.bucketNotCreated, reasonOf(error)), {}, { cause: error });
        }
      },
      { manualTransactions: true },
    ),
    route<typeof oss.enable, ProbeResult>(
      oss.enable,
      async ({ input, prepared: { reason } }) => {
        if (reason) throw new ApiError(withReason(ossProblems.notEnabled, reason));
        // Of two concurrent calls the last one wins.
        await db.lock(`oss ${db.scope?.tenantId}`);
        await rows.setSingleStatus(input.id, ossStatus.enabled, ossStatus);
      },
      { prepare: async ({ input, principal: { tenantId } }) => test(tenantId, await rowOf(tenantId, input.id)) },
    ),
  ];
}

/** Returns the labels of a dictionary's entries by their keys. */
async function dictionaryNames(db: ServerContext['db'], code: string): Promise<Map<string, string>> {
  const dicts = tableOf(Dict);
  const rows = await db.sql.select({ key: dicts.dictKey, name: dicts.dictValue }).from(dicts).where(sql`${dicts.code} = ${code} and ${dicts.isDeleted} = 0`);
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** Result of a test: the number of passed steps and the error of the next one. */
interface ProbeResult {
  readonly passed: number;
  readonly reason: LocalizedText | undefined;
}

/** Writes, reads and removes a small object, and stops at the first failure. No object stays behind if the store can remove it. */
export async function probe(open: () => Promise<ObjectStore>): Promise<ProbeResult> {
  const key = randomBytes(16).toString('hex');
  const content = randomBytes(64);
  let passed = 0;
  let store: ObjectStore | undefined;
  try {
    store = await open();
    await store.put(key, Readable.from([content], { objectMode: false }));
    passed = 1;
    const read = await readAll(await store.open(key));
    if (!read.equals(content)) return { passed, reason: probeMessages.changed };
    passed = 2;
    await store.remove(key);
    if ((await store.size(key)) !== undefined) return { passed, reason: probeMessages.forbidden };
    return { passed: 3, reason: undefined };
  } catch (error) {
    return { passed, reason: reasonOf(error) };
  } finally {
    if (passed === 1) await store?.remove(key).catch(() => undefined);
  }
}

/** Tests on the health screen whether the deployment's bucket answers and accepts its keys. */
export const bucketHealth = (openBucket: () => Promise<ObjectStore | undefined>): HealthSource => ({
  section: 'disk',
  async read() {
    const title = ['FILES_BUCKET', 'FILES_BUCKET'] as const;
    try {
      const bucket = await openBucket();
      if (!bucket) return [];
      await bucket.size('health');
      return [{ id: 'bucket', title, text: ['可访问', 'Reachable'] }];
    } catch (error) {
      const [zh, en] = reasonOf(error);
      const text: LocalizedText = [
        `文件存储桶不可用：${zh}。上传与下载会失败，请检查 FILES_… 设置与存储服务`,
        `The bucket for files is not available: ${en}. Uploads and downloads fail. Check the FILES_… settings and the service.`,
      ];
      return [{ id: 'bucket', title, text: ['不可用', 'Not available'], problem: { isUrgent: true, text } }];
    }
  },
});

/** Converts the result for display. */
function testResultOf({ passed, reason }: ProbeResult, language: Language): OssTestResult {
  const steps = Object.values(probeSteps).map((title, index) => {
    const state = index < passed ? 'passed' : index === passed ? 'failed' : 'skipped';
    const detail = state === 'passed' ? probeMessages.passed : state === 'failed' && reason ? reason : probeMessages.skipped;
    return { title: localize(title, language), state, detail: localize(detail, language) } as const;
  });
  return { works: reason === undefined, steps };
}

/** Repository of file stores. A store that contains files keeps its bucket and cannot be deleted, and neither can an enabled one. */
export function configurationsOf({ db, egress }: Pick<ServerContext, 'db' | 'egress'>): Repository<typeof Oss> {
  async function assertEmpty(row: OssRow): Promise<void> {
    const [storedFiles] = await queryRows<{ count: number }>(db, sql`select count(*)::integer as count from stored_file where store = ${storeKeyOf(row)}`);
    if (storedFiles && storedFiles.count > 0) throw new ApiError(ossProblems.hasFiles, { count: storedFiles.count });
  }

  function assertEndpoint(field: 'endpoint' | 'transformEndpoint', value: string | null | undefined): void {
    if (!value) return;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash + url.username + url.password === '';
    if (!isPlain) throw new ApiError(ossProblems.wrongEndpoint, {}, { field });
    try {
      egress.check(url);
    } catch (error) {
      throw error instanceof EgressError ? new ApiError(ossProblems.privateEndpoint, {}, { field, cause: error }) : error;
    }
  }

  return repositoryOf(db, Oss, {
    unique: [{ fields: ['ossCode'] }],
    async beforeSave(form: FormOf<typeof Oss>, before) {
      assertEndpoint('endpoint', form.endpoint);
      assertEndpoint('transformEndpoint', form.transformEndpoint);
      const isMoved = before && (['category', 'bucketName', 'appId'] as const).some((field) => field in form && form[field] !== before[field]);
      if (isMoved) await assertEmpty(before);
    },
    async beforeRemove(rows) {
      if (rows.some(({ status }) => status === ossStatus.enabled)) throw new ApiError(ossProblems.isEnabled);
    },
  });
}

/** Files in stores: a store that contains files cannot be deleted. */
export const storedFiles = ({ db }: Pick<ServerContext, 'db'>): DeclaredReference => ({
  entity: Oss.name,
  title: ['已存放的文件', 'Stored files'],
  async count(ids) {
    const rows = await queryRows<{ id: string; category: OssRow['category'] }>(
      db,
      sql`select id::text as id, category from oss where id = any(${idArray(ids)})`,
    );
    const keys = textArray(rows.map(storeKeyOf));
    const counted = sql`select from stored_file where store = any(${keys}) limit ${maxCountedRows}`;
    const [found] = await queryRows<{ count: number }>(db, sql`select count(*)::integer as count from (${counted}) stored`);
    return found?.count ?? 0;
  },
});

/** Step of the setup checklist that is done once a configuration is enabled. */
export const enablingStep = ({ db }: Pick<ServerContext, 'db'>): FigureSource =>
  setupStep(db, {
    id: 'storage',
    code: 'oss_enable',
    sort: 30,
    entities: [Oss.name],
    title: ['启用对象存储', 'Enable object storage'],
    note: ['未启用时，文件保存在服务器的磁盘上。', 'Until then, files are stored on the server disk.'],
    leadsTo: { menu: ossMenu.code },
    isDone: () => sql`exists (select from oss where status = 2 and is_deleted = 0)`,
  });
