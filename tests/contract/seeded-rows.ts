import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { isSecret } from '#shared/entity';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import { typeOfField } from '../../src/server/data/schema/field-type.ts';
import type { TestServer } from '../support/test-server.ts';

/** Values that a seeded row needs beyond its schema, by entity: those that its lists join on and its table checks. */
type SeedValues = Readonly<Record<string, string | number | null>>;

/** Name of the only stored file. */
export const fileKey = '0123456789abcdef0123456789abcdef';
const past = '2026-01-02 03:04:05';
const future = '2999-01-01 00:00:00';

/** Rows to insert, in order; a value `$name` is the id of the earlier row of that entity. */
const seeds: readonly (readonly [entity: string, values: SeedValues])[] = [
  ...['dict_biz', 'dept', 'post', 'registration', 'sms_outbox', 'social_app', 'error_log', 'login_log', 'platform', 'category', 'task_grade', 'oss'].map(plain),
  ...['sms', 'sms_delivery', 'sms_template', 'email_message', 'code', 'top_menu', 'tenant_package'].map(plain),
  ...['pay_channel', 'alipay_merchant', 'bank_account', 'payment_reconciliation', 'role', 'api_scope', 'data_scope'].map(plain),
  ['usual_log', { logData: '{}' }],
  ['api_log', { params: '{}' }],
  ['dict_biz', { parentId: '$dict_biz', dictKey: '1' }],
  ['model', { datasourceId: '$datasource', modelTable: 'dict' }],
  ['model_prototype', { modelId: '$model' }],
  ['job_server', { engine: 2, jobServerName: 'elsewhere', jobAppName: 'elsewhere' }],
  ['job_server', {}],
  ['job_info', { jobServerId: '$job_server' }],
  ['job_workflow', { jobServerId: '$job_server' }],
  ['job_instance', { jobInfoId: '$job_info' }],
  ['advertiser', { companyid: '$admin', departid: '$admin' }],
  ['city', { code: '4403', province: '' }],
  ['notice', { content: 'content', audience: 'all', releaseTime: past }],
  ['banner', { start_at: past, end_at: future }],
  ['depart_resource', { type: 2, url: `/file?key=${fileKey}`, userId: '$admin', createUser: '$admin', parentId: 0, name: '待审' }],
  ['depart_resource', { type: 2, url: `/file?key=${fileKey}`, userId: '$admin', createUser: '$admin', parentId: 0 }],
  [
    'task',
    { status: 2, advertiserId: '$advertiser', platformId: '$platform', categoryId: '$category', gradeId: '$task_grade', quantity: 9, ...counts(), ...term() },
  ],
  ['task_submission', { taskId: '$task', userId: '$admin', auditStatus: 1, auditTime: past, auditUser: '$admin', payStatus: 0, payNo: null }],
  ['payout', { submissionId: '$task_submission', taskId: '$task', advertiserId: '$advertiser', userId: '$admin', withheld: 0 }],
  ['payee_income', { userId: '$admin' }],
  ...['withholding_rule', 'report_format', 'platform_report'].map(plain),
  ['platform_report_row', { reportId: '$platform_report', userId: '$admin' }],
  ['task_submission', { taskId: '$task', userId: '$admin', auditStatus: 0, auditTime: null, auditUser: null, payStatus: 0, payNo: null }],
  ['receipt', { advertiserId: '$advertiser', state: 1, entryId: 7 }],
  ['payment_difference', { reconciliationId: '$payment_reconciliation' }],
  ['ledger_month', { month: '2026-01' }],
  ['bank_file', { bankAccountId: '$bank_account', runNo: 'sample' }],
  ['bank_file_line', { fileId: '$bank_file' }],
];

function plain(entity: string): readonly [string, SeedValues] {
  return [entity, {}];
}
function counts(): SeedValues {
  return { claimed: 0, submitted: 0, passed: 0 };
}
function term(): SeedValues {
  return { startTime: past, endTime: future };
}

/** Inserts rows past all rules, so that each list of the deployment has something to filter. Returns their ids by `$` and entity name, with some existing ones. */
export async function seedRows(server: TestServer, entities: ReadonlyMap<string, Entity>): Promise<ReadonlyMap<string, string>> {
  const [first] =
    await server.sql(`select (select id::text from user_account where account = 'admin') as admin, (select min(id)::text from datasource) as datasource,
    (select min(id)::text from region) as region, (select min(id)::text from role) as "firstRole"`);
  const ids = new Map(Object.entries(first ?? {}).map(([name, id]) => [`$${name}`, String(id)]));
  await server.sql(`insert into stored_file (tenant_id, key, store, name, type, size, purpose, owner_id)
    values ('000000', '${fileKey}', 'local', '样例.png', 'image/png', 7, 'upload', ${ids.get('$admin')})`);
  for (const [name, values] of seeds) {
    const entity = entities.get(name);
    if (!entity) continue;
    const entered = Object.entries(values).map(([field, value]) => [field, ids.get(String(value)) ?? value]);
    const id = await seedRow(server, entity, Object.fromEntries(entered));
    ids.set(`$${name}`, id).set(`$${name} ${id}`, id);
  }
  await server.sql("update depart_resource set status = 1 where name <> '待审'");
  await server.sql(`insert into job_log (tenant_id, instance_id, time, level, text) values ('000000', ${ids.get('$job_instance')}, now(), 'INFO', 'a line')`);
  await server.sql(`insert into task_day (tenant_id, day, task_id, auditor_id, submitted, approved, rejected)
    values ('000000', current_date - 20, ${ids.get('$task')}, 0, 3, 0, 0)`);
  // Payees have the ids of their users; the first payout adds them.
  if (entities.has('payee')) ids.set('$payee', ids.get('$admin') ?? '');
  await seedLedger(server, ids.get('$advertiser'));
  await server.sql("insert into tenant (tenant_id, tenant_name, linkman, is_deleted, update_time) values ('100001', '已删除', '样例', 1, now())");
  return ids;
}

/** Inserts two postings that add up to zero, as the ledger requires. */
const seedLedger = (server: TestServer, advertiser: string | undefined) =>
  server.sql(`insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, pay_no)
    select '000000', 7, 1, account, ${advertiser}, amount, 'PAY-7' from (values (1, 700), (2, -700)) posting (account, amount)`);

async function seedRow(server: TestServer, entity: Entity, values: SeedValues): Promise<string> {
  const table = snakeCase(entity.name);
  const derived = await server.sql(`select column_name as name from information_schema.columns where table_name = '${table}' and is_generated = 'ALWAYS'`);
  const computed = new Set(derived.map(({ name }) => name));
  const owner = entity.owner === 'tenant' ? { tenantId: '000000' } : {};
  const columns = Object.entries({ ...owner, ...sampleValues(entity), ...values }).filter(([name]) => name !== 'version' && !computed.has(snakeCase(name)));
  const names = columns.map(([name]) => `"${snakeCase(name)}"`).join(', ');
  const [row] = await server.sql(`insert into ${table} (${names}) values (${columns.map(([, value]) => literal(value)).join(', ')}) returning id::text as id`);
  return String(row?.id);
}

const literal = (value: string | number | null) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`);

/** Columns that the database fills. */
const filled = new Set(['id', 'createTime', 'status', 'isDeleted']);

function sampleValues({ fields }: Entity): SeedValues {
  const entered = Object.entries(fields).filter(([name]) => !filled.has(name));
  return Object.fromEntries(entered.map(([name, schema]) => [name, sampleOf(name, schema as TSchema)]));
}

function sampleOf(name: string, schema: TSchema): string | number {
  const { options, suggestions: known } = traitsOf(schema) ?? {};
  const { kind, maxLength = 32 } = typeOfField(schema);
  const option = options?.[0]?.[0] ?? known?.[0]?.value;
  if (isSecret(schema)) return 'sealed';
  if (name === 'parentId') return 0;
  if (kind === 'json') return JSON.stringify([option ?? '7']);
  if (option !== undefined) return option;
  if (kind === 'id' || kind === 'whole' || kind === 'number') return 7;
  if (kind === 'flag') return 'true';
  if (kind === 'time') return '2026-02-03 04:05:06';
  if (kind === 'day') return '2026-02-03';
  if (kind === 'clock') return '04:05:06';
  return `${name} 样例`.slice(0, maxLength);
}
