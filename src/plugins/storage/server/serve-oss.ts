import { ApiError, problem, type ServerContext } from '#server';
import { type LocalizedText, localize } from '#shared/text';
import { type OssRow, oss, ossProblems, ossStatus, probeMessages, stores } from '../contract.ts';
import { configurationsOf, enable } from './configurations.ts';
import { ConfiguredStores } from './configured-stores.ts';
import { dictionaryNames } from './dictionary-names.ts';
import { type ProbeResult, probe, verdictOf } from './probe.ts';
import { reasonOf } from './s3-failures.ts';

const local: ProbeResult = { passed: 3, reason: undefined };
const because = ({ status, message: words }: ReturnType<typeof problem>, [zh, en]: LocalizedText) =>
  problem(status, [localize(words, 'zh', { reason: zh }), localize(words, 'en', { reason: en })]);

/** Serves the file stores of a tenant: configuration, enabling and testing. */
export function serveOss(context: ServerContext): void {
  const { serve, serveCrud, db, files } = context;
  const rows = configurationsOf(context);
  const directory = new ConfiguredStores(context, rows);
  files.stores.chooseBy(directory);

  const tried = async (tenantId: string, row: OssRow): Promise<ProbeResult> =>
    row.category === stores.local ? local : probe(() => db.read({ tenantId }, () => directory.open(tenantId, row)));
  const found = (tenantId: string, id: string) => db.read({ tenantId }, () => rows.detail(id));

  serveCrud(oss, rows);
  serve(oss.list, async ({ input }) => {
    const { records, ...page } = await rows.page(input);
    const [kinds, states] = [await dictionaryNames(db, 'oss'), await dictionaryNames(db, 'yes_no')];
    const named = records.map((row) => ({ ...row, categoryName: kinds.get(row.category) ?? '', statusName: states.get(String(row.status)) ?? '' }));
    return { ...page, records: named };
  });
  serve(
    oss.test,
    async ({ input, principal: { tenantId }, language }) => {
      const row = await found(tenantId, input.id);
      const verdict = verdictOf(await tried(tenantId, row), language);
      if (row.category !== stores.local) return verdict;
      return { ...verdict, steps: verdict.steps.slice(0, 1).map((step) => ({ ...step, detail: localize(probeMessages.local, language) })) };
    },
    { manualTransactions: true },
  );
  serve(
    oss.makeBucket,
    async ({ input, principal: { tenantId } }) => {
      const row = await db.read({ tenantId }, () => rows.find({ status: ossStatus.enabled }));
      if (!row || row.category === stores.local) throw new ApiError(ossProblems.noneAway);
      try {
        const store = await db.read({ tenantId }, () => directory.open(tenantId, row));
        await store.makeBucket(input.bucketName);
      } catch (error) {
        throw new ApiError(because(ossProblems.notMade, reasonOf(error)), {}, { cause: error });
      }
    },
    { manualTransactions: true },
  );
  serve<typeof oss.enable, ProbeResult>(
    oss.enable,
    async ({ input, prepared: { reason } }) => {
      if (reason) throw new ApiError(because(ossProblems.notWorking, reason));
      await enable(db, input.id);
    },
    { prepare: async ({ input, principal: { tenantId } }) => tried(tenantId, await found(tenantId, input.id)) },
  );
}
